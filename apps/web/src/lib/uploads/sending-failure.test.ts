import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterFailure } from './sending-failure.ts';

test('what passes is tried again for as long as it lasts, never faster than before', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 409, 423, 500, 502, 503, 504), fc.nat(1000), (status, attempt) => {
      const [now, next] = [attempt, attempt + 1].map((count) => afterFailure({ status }, count));
      if (now?.kind !== 'retry' || next?.kind !== 'retry') throw new Error('it is given up');
      expect(now.delayMs).toBeGreaterThan(0);
      expect(next.delayMs).toBeGreaterThanOrEqual(now.delayMs);
      expect(next.delayMs).toBeLessThanOrEqual(15_000);
    }),
  );
});

test('a console that names a time is not asked before', () => {
  expect(afterFailure({ status: 429, retryAfter: 40 }, 0)).toMatchObject({ kind: 'retry', delayMs: 40_000 });
});

test('a full disk says what the console says, and is tried again later', () => {
  const detail = 'The console has 2 GB left for uploads.';
  expect(afterFailure({ status: 507, detail }, 0)).toEqual({
    kind: 'retry',
    delayMs: 30_000,
    reason: detail,
  });
});

test.each([400, 403, 404, 410, 413, 415])('%d is not tried again', (status) => {
  expect(afterFailure({ status }, 0).kind).toBe('refused');
});

test('who is signed out is asked to sign in', () => {
  expect(afterFailure({ status: 401 }, 3).kind).toBe('sign-in');
});
