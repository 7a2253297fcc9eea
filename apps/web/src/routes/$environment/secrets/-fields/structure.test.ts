import { expect, test, vi } from 'vitest';
import { fieldsIn } from './structure.ts';

test('fields have the names nested in their values, of which at most 100 are listed', () => {
  expect(fieldsIn(null)).toBeNull();
  expect(fieldsIn('{"a":null,"b":{"c":null,"d":{"e":null,"e":null}},"a":{"x":null}}')).toEqual([
    { name: 'a', below: ['x'] },
    { name: 'b', below: ['c', 'd.e'] },
  ]);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`n${n}`, null]));
  expect(fieldsIn(JSON.stringify({ many }))?.[0]?.below).toHaveLength(100);
});

test('a deep structure is read once, and not again at each level', () => {
  const read = vi.spyOn(JSON, 'parse');
  const fields = fieldsIn(`${'{"a":'.repeat(450)}null${'}'.repeat(450)}`);
  const names = read.mock.calls.length;
  read.mockRestore();
  expect(fields).toEqual([{ name: 'a', below: [Array(449).fill('a').join('.')] }]);
  expect(names).toBeLessThan(2 * 450);
});
