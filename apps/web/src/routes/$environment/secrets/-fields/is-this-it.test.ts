import { expect, test } from 'vitest';
import { matchWords } from './IsThisIt.tsx';
import { fieldsIn } from './structure.ts';

const now = Date.parse('2026-03-13T12:00:00Z');
const match = {
  field: '/db_password',
  version: 6,
  current: false,
  created_time: '2026-02-01T12:00:00Z',
  superseded_time: '2026-03-01T12:00:00Z',
};

test('describes which field a pasted value matches', () => {
  expect(matchWords(match, now)).toBe('Equals db_password in version 6, superseded 12 days ago.');
  expect(matchWords({ ...match, field: '/a~1b/c~0d', current: true, superseded_time: null }, now)).toBe(
    'Equals a/b.c~d in version 6, the newest.',
  );
});

test('lists fields with the names nested in them', () => {
  expect(fieldsIn('{"a":null,"tls":{"key":null,"deep":{"er":null}},"a":null}')).toEqual([
    { name: 'a', below: [] },
    { name: 'tls', below: ['key', 'deep.er'] },
  ]);
  expect(fieldsIn(null)).toBeNull();
});
