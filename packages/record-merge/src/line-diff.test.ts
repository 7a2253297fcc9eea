import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import { MAX_LINES } from './text-merge.ts';

test('lists removed and added lines with their numbers', () => {
  expect(lineDiff('a\nb\nc', 'a\nB\nc\nd')).toEqual([
    { kind: 'same', text: 'a', before: 1, after: 1 },
    { kind: 'removed', text: 'b', before: 2 },
    { kind: 'added', text: 'B', after: 2 },
    { kind: 'same', text: 'c', before: 3, after: 3 },
    { kind: 'added', text: 'd', after: 4 },
  ]);
});

test('contains both texts completely', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '{', '}', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after) ?? [];
      const side = (other: string): string =>
        lines
          .filter(({ kind }) => kind !== other)
          .map((line) => line.text)
          .join('\n');
      expect(side('added')).toBe(before);
      expect(side('removed')).toBe(after);
    }),
  );
});

test('returns undefined for texts that are too long', () => {
  expect(lineDiff('x\n'.repeat(MAX_LINES + 1), 'x')).toBeUndefined();
});
