import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues } from './useGridTable.ts';

test('compares numbers by value and text in natural order, with unset values last', () => {
  expect([10, 9, null, 100].sort(compareValues)).toEqual([9, 10, 100, null]);
  expect(['db-10', 'db-9', '', 'Alpha', 'beta'].sort(compareValues)).toEqual([
    'Alpha',
    'beta',
    'db-9',
    'db-10',
    '',
  ]);
});

test('is antisymmetric', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(value, value, (first, second) => {
      expect(Math.sign(compareValues(first, second)) + Math.sign(compareValues(second, first))).toBe(0);
    }),
  );
});
