import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testClock } from './clock.ts';
import { rateLimiter } from './rate-limit.ts';

test('allows a burst, then as many requests as were refilled', () => {
  const clock = testClock();
  const limiter = rateLimiter({ burst: 3, perSecond: 2 }, clock);
  const allowed = (): boolean => limiter.take('k').allowed;
  expect([allowed(), allowed(), allowed(), allowed()]).toEqual([true, true, true, false]);
  clock.advance(500);
  expect([allowed(), allowed()]).toEqual([true, false]);
  expect(limiter.take('another').allowed).toBe(true);
  limiter.reset('k');
  expect(allowed()).toBe(true);
});

test('allows a request after the reported wait', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.array(fc.nat(2000), { maxLength: 50 }),
      (burst, perSecond, pauses) => {
        const clock = testClock();
        const limiter = rateLimiter({ burst, perSecond }, clock);
        for (const pause of pauses) {
          clock.advance(pause);
          const decision = limiter.take('k');
          if (decision.allowed) continue;
          expect(decision.retryAfterMs).toBeGreaterThan(0);
          clock.advance(decision.retryAfterMs);
          expect(limiter.take('k').allowed).toBe(true);
        }
      },
    ),
  );
});

test('never allows more than burst plus rate times time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 200 }), (pauses) => {
      const clock = testClock();
      const limiter = rateLimiter({ burst: 5, perSecond: 3 }, clock);
      let passed = 0;
      for (const pause of pauses) {
        clock.advance(pause);
        if (limiter.take('k').allowed) passed++;
      }
      expect(passed).toBeLessThanOrEqual(5 + (clock.monotonic() / 1000) * 3 + 1e-6);
    }),
  );
});

test('forgets the key that was idle longest when there are too many', () => {
  const limiter = rateLimiter({ burst: 1, perSecond: 0.001 }, testClock(), 2);
  limiter.take('a');
  limiter.take('b');
  expect(limiter.take('a').allowed).toBe(false);
  limiter.take('c');
  expect(limiter.take('a').allowed).toBe(false);
  expect(limiter.take('b').allowed).toBe(true);
});
