import { expect, test } from 'vitest';
import { comparisonInWords } from './OtherEnvironments.tsx';

const other = { version: 3, created_time: '2026-11-29T00:00:00Z', readable: true };

test('a comparison with another environment names the fields that differ', () => {
  const fields = [
    { name: 'host', found: 'different' as const },
    { name: 'user', found: 'same' as const },
    { name: 'port', found: 'here' as const },
    ...Array.from({ length: 12 }, (_, n) => ({ name: `x${String(n)}`, found: 'there' as const })),
  ];
  expect(comparisonInWords({ other, fields, more: false }, 'Staging')).toEqual([
    'Different: host.',
    'Only here: port.',
    'Only in Staging: x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, 2 more.',
  ]);
});

test('a comparison says what is the same only of what was compared', () => {
  const fields = [{ name: 'user', found: 'same' as const }];
  expect(comparisonInWords({ other, fields, more: false }, 'Staging')).toEqual(['1 field, all the same.']);
  expect(comparisonInWords({ other, fields, more: true }, 'Staging')).toEqual([
    'Only the first 1 field were compared.',
  ]);
  expect(comparisonInWords({ other: null, fields: [], more: false }, 'Staging')).toEqual([
    'No secret at this path.',
  ]);
  const deleted = { ...other, readable: false };
  expect(comparisonInWords({ other: deleted, fields: [], more: false }, 'Staging')).toEqual([
    'Its newest version, 3, is deleted.',
  ]);
});
