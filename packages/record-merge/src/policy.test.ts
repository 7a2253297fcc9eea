import { expect, test } from 'vitest';
import { record, scalar } from './policy.ts';

test("requires a group's fields to be declared and in only one group", () => {
  expect(() => record({ a: scalar }, { groups: [{ name: 'g', fields: ['a', 'toString'] }] })).toThrow(
    'Group "g" names the field "toString", which the record does not declare.',
  );
  const groups = ['g', 'h'].map((name) => ({ name, fields: ['a'] }));
  expect(() => record({ a: scalar }, { groups })).toThrow(
    'Field "a" is in the groups "g" and "h"; it can be in one.',
  );
});
