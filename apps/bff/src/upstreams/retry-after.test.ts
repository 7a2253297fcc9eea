import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

test('reads Retry-After as seconds or a date, clamps it, and replaces garbage', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(retryAfterSeconds('17', now)).toBe(17);
  expect(retryAfterSeconds('0', now)).toBe(1);
  expect(retryAfterSeconds('999999999999', now)).toBe(300);
  expect(retryAfterSeconds('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30);
  expect(retryAfterSeconds('Wed, 31 Dec 2025 00:00:30 GMT', now)).toBe(1);
  expect(retryAfterSeconds('Fri, 01 Jan 2027 00:00:30 GMT', now)).toBe(300);
  for (const garbage of [undefined, '', 'soon', '-1', '1e3', 'Infinity', '2026-01-01'])
    expect(retryAfterSeconds(garbage, now)).toBe(5);
});
