import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GridKey, moveByKey } from './gridKeyboard.ts';

const plain = { isMod: false, isShift: false, isAlt: false };
const extent = { rows: 100, columns: 6, page: 20 };

test.each<[string, Partial<GridKey>, { row: number; column: number }]>([
  ['ArrowDown', {}, { row: 11, column: 3 }],
  ['ArrowUp', {}, { row: 9, column: 3 }],
  ['ArrowLeft', {}, { row: 10, column: 2 }],
  ['ArrowRight', {}, { row: 10, column: 4 }],
  ['Home', {}, { row: 10, column: 0 }],
  ['End', {}, { row: 10, column: 5 }],
  ['Home', { isMod: true }, { row: 0, column: 0 }],
  ['End', { isMod: true }, { row: 99, column: 5 }],
  ['PageDown', {}, { row: 30, column: 3 }],
  ['PageUp', {}, { row: 0, column: 3 }],
  ['j', {}, { row: 11, column: 3 }],
  ['k', {}, { row: 9, column: 3 }],
])('moves with %s %o', (key, modifiers, expected) => {
  expect(moveByKey({ row: 10, column: 3 }, { key, ...plain, ...modifiers }, extent, true)).toEqual(expected);
});

test('ignores letters that are switched off, and browser shortcuts', () => {
  const at = { row: 10, column: 3 };
  expect(moveByKey(at, { key: 'j', ...plain }, extent, false)).toBeUndefined();
  expect(moveByKey(at, { key: 'ArrowLeft', ...plain, isAlt: true }, extent, true)).toBeUndefined();
  expect(moveByKey(at, { key: 'j', ...plain, isMod: true }, extent, true)).toBeUndefined();
  expect(moveByKey(at, { key: 'x', ...plain }, extent, true)).toBeUndefined();
});

test('moves to the header with the up arrow, but not with k', () => {
  const at = { row: 0, column: 0 };
  expect(moveByKey(at, { key: 'ArrowUp', ...plain }, extent, true)?.row).toBe(-1);
  expect(moveByKey(at, { key: 'k', ...plain }, extent, true)?.row).toBe(0);
});

test('never leaves the grid, whatever its size', () => {
  const keys = [
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
    'PageUp',
    'PageDown',
    'j',
    'k',
  ];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.record({ key: fc.constantFrom(...keys), isMod: fc.boolean() }), { maxLength: 40 }),
      (rows, columns, pressed) => {
        let at = { row: -1, column: 0 };
        for (const { key, isMod } of pressed) {
          at =
            moveByKey(at, { key, isMod, isShift: false, isAlt: false }, { rows, columns, page: 7 }, true) ??
            at;
          expect(at.row).toBeGreaterThanOrEqual(-1);
          expect(at.row).toBeLessThan(Math.max(rows, 1));
          if (rows === 0) expect(at.row).toBe(-1);
          expect(at.column).toBeGreaterThanOrEqual(0);
          expect(at.column).toBeLessThan(columns);
        }
      },
    ),
  );
});
