import { expect, test } from 'vitest';
import { plainText } from './readme-summary.ts';

test.each([
  ['**Net**: *really* ***fast***, ~~old~~ _new_', 'Net: really fast, old new'],
  ['**a _b_ c**', 'a b c'],
  ['snake_case_name, 2 * 3 * 4, *a*b and ~5', 'snake_case_name, 2 * 3 * 4, *a*b and ~5'],
  ['`a_b_c`, `_x_`, `s3:*` and `ec2:*`, ``a ` b``', 'a_b_c, _x_, s3:* and ec2:*, a ` b'],
  [
    '[![CI](https://x/y.svg)](https://x) ![logo][1]A [net](https://x/_a_b) of [yours][2] [x]',
    ' A net of yours [x]',
  ],
  ['<b>Net</b> of 3 < 4 > 2', 'Net of 3 < 4 > 2'],
])('the text of %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});

test.each(['\u{1F600}___a', ' ___a', '**a', '![', '[a](', '[a][', '<a'])(
  'the text of many %j, which nothing closes, takes less than quadratic time',
  (mark) => {
    const markdown = mark.repeat(40_000);
    expect(plainText(markdown) === markdown).toBe(true);
  },
);
