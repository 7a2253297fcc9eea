import { testClock } from '@gatehouse/service-kit/clock';
import { expect, test } from 'vitest';
import { ProblemError } from '#ground/problem.ts';
import { createReach } from './reach.ts';

test('pauses the move if the registry asks to wait for ten minutes, but not if it answers during that time', async () => {
  const clock = testClock();
  const reach = createReach({
    who: 'The source',
    clock,
    delaysMs: [],
    signal: new AbortController().signal,
    waits: () => Promise.resolve(),
  });
  const limited = (times: number) => {
    let left = times;
    return () => {
      if (left-- <= 0) return Promise.resolve('answer');
      clock.advance(110_000);
      return Promise.reject(new ProblemError('rate-limited', 'Too many.', { retryAfterSeconds: 0 }));
    };
  };
  for (let round = 0; round < 3; round++) expect(await reach.once(limited(5))).toBe('answer');
  await expect(reach.once(limited(20))).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('too many requests'),
  });
});
