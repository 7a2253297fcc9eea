import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPart, lazy, retryParts, useIsPartMissing } from './parts.ts';

let isOnline = true;
/** Whether the file arrives. */
let isServed = false;
const load = vi.fn<() => Promise<{ default: () => string }>>(() =>
  isServed
    ? Promise.resolve({ default: () => 'The part' })
    : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(async () => {
  // What a test left behind is still being fetched.
  isServed = true;
  await act(() => vi.runAllTimersAsync());
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  load.mockClear();
  isOnline = true;
  isServed = false;
});

function Page({ part: Part }: { part: ReturnType<typeof lazy> }) {
  const isMissing = useIsPartMissing();
  return (
    <>
      <p>{isMissing ? 'A part is missing' : 'Whole'}</p>
      <Suspense fallback="The fallback">
        <Part />
      </Suspense>
    </>
  );
}

/** Draws a page and waits until the first try is over. */
async function open() {
  const part = lazy(load);
  await act(async () => {
    render(<Page part={part} />);
    await vi.advanceTimersByTimeAsync(0);
  });
}

test('a part that did not arrive without a network comes when the network is back', async () => {
  isOnline = false;
  await open();
  expect(screen.getByText('The fallback')).toBeDefined();
  // That there is no network says it all.
  expect(screen.getByText('Whole')).toBeDefined();
  isOnline = true;
  isServed = true;
  await act(async () => {
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('The part')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that did not arrive all the same is missing until a retry succeeds', async () => {
  await open();
  expect(screen.getByText('A part is missing')).toBeDefined();
  await act(async () => {
    retryParts();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('A part is missing')).toBeDefined();
  isServed = true;
  await act(async () => {
    retryParts();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('The part')).toBeDefined();
  expect(screen.getByText('Whole')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(3);
});

test('what an event fetches arrives late rather than never', async () => {
  const part = fetchPart(load);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(load).toHaveBeenCalledOnce();
  isServed = true;
  await vi.advanceTimersByTimeAsync(1);
  expect((await part).default()).toBe('The part');
  // One try at a time, and none after it.
  window.dispatchEvent(new Event('online'));
  retryParts();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});
