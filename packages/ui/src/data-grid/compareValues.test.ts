import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues } from './useGridTable.ts';

test('numbers as numbers, words as a person reads them, what is not set last', () => {
  expect([10, 9, null, 100].sort(compareValues)).toEqual([9, 10, 100, null]);
  expect(['db-10', 'db-9', '', 'Alpha', 'beta'].sort(compareValues)).toEqual([
    'Alpha',
    'beta',
    'db-9',
    'db-10',
    '',
  ]);
});

test('it is an order: two values compare the same both ways round', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(value, value, (first, second) => {
      expect(Math.sign(compareValues(first, second)) + Math.sign(compareValues(second, first))).toBe(0);
    }),
  );
});
