import { expect, test } from 'vitest';
import { record, scalar } from './policy.ts';

test('a group names declared fields, each of which is in one group', () => {
  expect(() => record({ a: scalar }, { groups: [{ name: 'g', fields: ['a', 'toString'] }] })).toThrow(
    'Group "g" names the field "toString", which the record does not declare.',
  );
  const groups = ['g', 'h'].map((name) => ({ name, fields: ['a'] }));
  expect(() => record({ a: scalar }, { groups })).toThrow(
    'Field "a" is in the groups "g" and "h"; it can be in one.',
  );
});
