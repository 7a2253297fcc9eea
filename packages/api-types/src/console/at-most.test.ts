import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';

test('a text that is too long is checked no further', () => {
  const checked: string[] = [];
  const name = z.string().check(
    atMost(3, 'Three characters or fewer.'),
    z.refine((text) => checked.push(text) === 0, 'Never right.'),
  );
  const problemsOf = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message);
  expect(problemsOf('abcd')).toEqual(['Three characters or fewer.']);
  expect(checked).toEqual([]);
  expect(problemsOf('abc')).toEqual(['Never right.']);
  expect(checked).toEqual(['abc']);
});
