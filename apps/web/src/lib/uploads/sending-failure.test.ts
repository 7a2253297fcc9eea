import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterFailure } from './sending-failure.ts';

test('temporary failures are retried endlessly, with pauses that never shrink', () => {
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

test.each([429, 503])("the console's Retry-After is respected with status %d", (status) => {
  expect(afterFailure({ status, retryAfter: 40 }, 0)).toMatchObject({ kind: 'retry', delayMs: 40_000 });
});

test("a full disk shows the console's reason, and is retried later", () => {
  const detail = 'The console has 2 GB left for uploads.';
  expect(afterFailure({ status: 507, detail }, 0)).toEqual({
    kind: 'retry',
    delayMs: 30_000,
    reason: detail,
  });
});

test.each([400, 403, 404, 410, 413, 415])('status %d is not retried', (status) => {
  expect(afterFailure({ status }, 0).kind).toBe('refused');
});

test('a missing session requires signing in', () => {
  expect(afterFailure({ status: 401 }, 3).kind).toBe('sign-in');
});
