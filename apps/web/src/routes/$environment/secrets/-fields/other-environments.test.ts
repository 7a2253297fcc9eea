import { expect, test } from 'vitest';
import { comparisonInWords } from './OtherEnvironments.tsx';

const other = { version: 3, created_time: '2026-11-29T00:00:00Z', readable: true };
const fields = (...names: string[]) => ({ names, count: names.length });
const none = { changed: fields(), here: fields(), there: fields(), same: 0 };

test('a comparison with another environment names the fields that differ', () => {
  const there = { names: Array.from({ length: 12 }, (_, n) => `x${String(n)}`), count: 1_200 };
  expect(
    comparisonInWords({ other, changed: fields('host'), here: fields('port'), there, same: 1 }, 'Staging'),
  ).toEqual([
    'Different: host.',
    'Only here: port.',
    'Only in Staging: x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, 1,190 more.',
  ]);
});

test('a comparison says that all is the same, that none is there, or that it is deleted', () => {
  expect(comparisonInWords({ other, ...none, same: 1 }, 'Staging')).toEqual(['1 field, all the same.']);
  expect(comparisonInWords({ other: null, ...none }, 'Staging')).toEqual(['No secret at this path.']);
  const deleted = { ...other, readable: false };
  expect(comparisonInWords({ other: deleted, ...none }, 'Staging')).toEqual([
    'Its newest version, 3, is deleted.',
  ]);
});
