import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketsOf } from './buckets.ts';

const time = (text: string): number => Date.parse(text);

test('counts times by day, from midnight', () => {
  const times = ['2026-11-01T10:00:00Z', '2026-11-01T23:59:59Z', '2026-11-29T00:00:00Z'].map(time);
  const { from, step, counts } = bucketsOf(times, 'utc');
  expect([from, step, counts.length]).toEqual(['2026-11-01T00:00:00.000Z', 86_400, 29]);
  expect([counts.at(0), counts.at(1), counts.at(-1)]).toEqual([2, 0, 1]);
});

test('counts each time once, in at most 60 ranges that begin with the first time', () => {
  const times = fc.array(fc.integer({ min: 0, max: time('2100-01-01T00:00:00Z') }), { minLength: 1 });
  fc.assert(
    fc.property(times, fc.constantFrom('local' as const, 'utc' as const), (all, zone) => {
      const { from, step, counts } = bucketsOf(all, zone);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
      expect(counts.length).toBeLessThanOrEqual(60);
      expect(Math.floor((Math.min(...all) - time(from)) / (step * 1_000))).toBe(0);
    }),
  );
});
