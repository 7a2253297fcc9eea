import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { duration } from './duration.ts';
import { readDuration, wholeSeconds } from './read-duration.ts';

const problemOf = (text: string): string | undefined => z.safeParse(duration, text).error?.issues[0]?.message;

describe('a duration', () => {
  test.each(['0s', '90s', '3h25m19s', '3600', '1.5h', '4.35m', '30d', '1000ms', ' 1m '])(
    'accepts %s',
    (text) => {
      expect(problemOf(text)).toBeUndefined();
    },
  );

  test.each(['500ms', '0.5s', '1m0.25s', '1ms'])(
    'does not round %s, which has fractions of a second, to zero',
    (text) => {
      expect(problemOf(text)).toMatch(/whole seconds/);
      expect(wholeSeconds(text)).toBeUndefined();
      expect(readDuration(text)).toBeGreaterThan(0);
    },
  );

  test.each(['', 'x', '-1s', '1y', '1h x'])('refuses %j', (text) => {
    expect(problemOf(text)).toMatch(/duration/);
    expect(readDuration(text)).toBeUndefined();
  });
});
