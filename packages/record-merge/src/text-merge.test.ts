import { expect, test } from 'vitest';
import { MAX_LINES, textMerge } from './text-merge.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('keeps all newlines unchanged', () => {
  expect(textMerge('a\r\nb\nc\n\nd', 'A\r\nb\nc\n\nd', 'a\r\nb\nc\n\nD\n')).toBe('A\r\nb\nc\n\nD\n');
  expect(textMerge('a\nb\nc', 'a\nb\nc\n', 'A\nb\nc')).toBe('A\nb\nc\n');
  expect(textMerge('a\n\n\nb', 'a\n\n\nB', 'A\n\n\nb')).toBe('A\n\n\nB');
});

test('applies the same change of both sides once', () => {
  expect(textMerge('a\nb\nc\nd', 'a\nx\nc\nd', 'a\nx\nc\nD')).toBe('a\nx\nc\nD');
});

test('does not merge changes of the same line or of adjacent lines', () => {
  expect(textMerge('a\nb\nc', 'a\nx\nc', 'a\ny\nc')).toBeUndefined();
  expect(textMerge('a\nb\nc', 'A\nb\nc', 'a\nB\nc')).toBeUndefined();
});

test('does not merge texts that are too long or too repetitive', () => {
  const merged = (lines: readonly string[]) =>
    textMerge(
      lines.join('\n'),
      ['mine', ...lines.slice(1)].join('\n'),
      [...lines.slice(0, -1), 'theirs'].join('\n'),
    );
  expect(merged(numbered(MAX_LINES))?.split('\n')).toHaveLength(MAX_LINES);
  expect(merged(numbered(MAX_LINES + 1))).toBeUndefined();
  const spaced = (count: number) => numbered(count).map((line, index) => (index % 2 === 0 ? line : ''));
  expect(merged(spaced(200))?.split('\n')).toHaveLength(200);
  expect(merged(spaced(MAX_LINES))).toBeUndefined();
});
