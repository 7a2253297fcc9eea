import { explainFilter } from '@gatehouse/filter-expression/explain';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { expect, test } from 'vitest';
import { headingOf, partsInARow, seenWords } from './clause-words.ts';

const explained = (text: string) => explainFilter(parseFilter(text), { a: 1, list: ['x'], none: null });

test('clauses joined by one operator form one row, however they nest', () => {
  const text = 'a == 1 and (a == 2 and a == 3) and (a == 4 or a == 5)';
  const parts = partsInARow(explained(text));
  expect(parts.map(({ expression: { span } }) => text.slice(span.from, span.to))).toEqual([
    'a == 1',
    'a == 2',
    'a == 3',
    'a == 4 or a == 5',
  ]);
});

test('compared values are shown as JSON, and truncated', () => {
  expect(seenWords({ isThere: false, value: undefined })).toBe('field not found');
  expect(seenWords({ isThere: true, value: null })).toBe('field has no value');
  expect(seenWords({ isThere: true, value: '' })).toBe('saw ""');
  expect(seenWords({ isThere: true, value: ['x'] })).toBe('saw ["x"]');
  expect(seenWords({ isThere: true, value: 'y'.repeat(1000) }).length).toBeLessThan(200);
});

test('groups have a heading, and single clauses are shown as written', () => {
  const heading = (text: string) => headingOf(explained(text), text);
  expect(heading('a == 1 or a == 2')).toBe('Any of');
  expect(heading('not a == 1')).toBe('Not');
  expect(heading('any list as x { x == y }')).toBe('any list as x');
  expect(heading('a == 1')).toBeUndefined();
});
