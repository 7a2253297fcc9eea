import { expect, test } from 'vitest';
import { formKey } from '../-fields/form-keys.ts';
import { unseen } from '../-fields/secret-values.ts';
import { roundedIn } from './rounded-numbers.ts';

test('numbers that a server rounds are listed by field, and invalid JSON is skipped', () => {
  const entries = {
    [formKey('big')]: '9007199254740993',
    [formKey('small')]: '42',
    [formKey('text')]: '"9007199254740993"',
    [formKey('deep')]: '{"a":[1e400]}',
    [formKey('typing')]: '{"a":9007199254740993',
    [formKey('hidden')]: unseen,
  };
  expect(roundedIn(entries)).toEqual([
    { name: 'big', becomes: '9007199254740992' },
    { name: 'deep/a/0', becomes: null },
  ]);
});
