import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterPaint } from './afterPaint.ts';

let frame: () => void = () => undefined;
const resolved = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frame = run;
  });
  resolved.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('resolves in the task after the next frame', async () => {
  const waiting = afterPaint().then(resolved);
  await vi.advanceTimersByTimeAsync(500);
  expect(resolved).not.toHaveBeenCalled();
  frame();
  await Promise.resolve();
  expect(resolved).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(resolved).toHaveBeenCalledOnce();
});

test('also resolves if nothing is painted', async () => {
  const waiting = afterPaint().then(resolved);
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
  expect(resolved).toHaveBeenCalledOnce();
});
