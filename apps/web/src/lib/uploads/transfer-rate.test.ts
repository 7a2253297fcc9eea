import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSample, rateOf, timeLeft, type RateSamples } from './transfer-rate.ts';

test('a steady stream has its rate, regardless of gaps between samples', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 50, max: 3000 }), { minLength: 12, maxLength: 60 }),
      fc.integer({ min: 1, max: 1e9 }),
      (gaps, bytesPerSecond) => {
        let samples: RateSamples = [];
        let at = 0;
        for (const gap of gaps) {
          at += gap;
          samples = addSample(samples, at, (at * bytesPerSecond) / 1000);
        }
        const rate = rateOf(samples);
        if (rate !== undefined) expect(rate / bytesPerSecond).toBeCloseTo(1, 5);
      },
    ),
  );
});

test('only the last seconds count', () => {
  let samples: RateSamples = [];
  for (let second = 0; second <= 60; second++) samples = addSample(samples, second * 1000, second * 10);
  for (let second = 61; second <= 120; second++) {
    samples = addSample(samples, second * 1000, 600 + (second - 60) * 1000);
  }
  expect(rateOf(samples)).toBeCloseTo(1000, 5);
});

test('a retry starts over, and the rate is undefined until enough samples exist', () => {
  const before = addSample(addSample([], 0, 0), 5000, 5000);
  expect(rateOf(before)).toBe(1000);
  const again = addSample(before, 6000, 0);
  expect(rateOf(again)).toBeUndefined();
  expect(timeLeft(100, undefined)).toBeUndefined();
  expect(timeLeft(5000, rateOf(before))).toBe(5000);
});
