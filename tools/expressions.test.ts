import { expect, test } from 'vitest';
import { slowExpressionsIn } from './expressions.mjs';

test.each([
  ['a run that must be at the end', String.raw`/\/+$/`],
  ['runs at both ends', String.raw`/^\/+|\/+$/g`],
  ['two runs of the same characters', String.raw`/^\d+\d*$/`],
  ['a repeated run', '/^(?:a+)+$/'],
  ['a run that must be before a word', '/a.*b/'],
])('%s is refused in server code', (_what, expression) => {
  expect(
    slowExpressionsIn('a.ts', `\nexport const isOne = (text: string) => ${expression}.test(text);`),
  ).toEqual([{ line: 2, raw: expression }]);
});

test.each([String.raw`/^\/+/`, String.raw`/(?<!\/)\/+$/`, String.raw`/\d{1,3}$/`])(
  '%s is not refused',
  (expression) => {
    expect(slowExpressionsIn('a.ts', `export const one = ${expression};`)).toEqual([]);
  },
);
