import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetBegun, takeBegun } from './begun.ts';

const answer = Promise.resolve(new Response('{}'));

beforeEach(() => {
  globalThis.begun = new Map([['/api/session', { answer, at: performance.now() }]]);
});
afterEach(() => {
  vi.useRealTimers();
  globalThis.begun = undefined;
});

test('what was begun is taken once', () => {
  expect(takeBegun('/api/session')).toBe(answer);
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('what was not begun is not taken, nor anything where nothing was', () => {
  expect(takeBegun('/api/sessions')).toBeUndefined();
  globalThis.begun = undefined;
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('an answer of long ago is not taken', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  globalThis.begun?.set('/api/session', { answer, at: performance.now() });
  vi.advanceTimersByTime(30_000);
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('an answer from before a change is not taken', () => {
  forgetBegun();
  expect(takeBegun('/api/session')).toBeUndefined();
});
