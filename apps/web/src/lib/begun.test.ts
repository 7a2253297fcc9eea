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

test('a response is used once', () => {
  expect(takeBegun('/api/session')).toBe(answer);
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('a request that was not begun has no response, nor has any if begin.js did not run', () => {
  expect(takeBegun('/api/sessions')).toBeUndefined();
  globalThis.begun = undefined;
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('an old response is not used', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  globalThis.begun?.set('/api/session', { answer, at: performance.now() });
  vi.advanceTimersByTime(30_000);
  expect(takeBegun('/api/session')).toBeUndefined();
});

test('a response from before a write is not used', () => {
  forgetBegun();
  expect(takeBegun('/api/session')).toBeUndefined();
});
