import { personLimits } from '@gatehouse/api-types/console/people';
import { expect, test } from 'vitest';
import { newPassword } from './new-password.ts';

test('passwords are long enough, readable and unique', () => {
  const passwords = Array.from({ length: 200 }, newPassword);
  for (const password of passwords) {
    expect(password).toMatch(/^(?:[A-Za-z2-9]{4}-){4}[A-Za-z2-9]{4}$/);
    expect(password).not.toMatch(/[lIoO01]/);
    expect(password.length).toBeGreaterThanOrEqual(personLimits.minPassword);
  }
  expect(new Set(passwords).size).toBe(passwords.length);
});
