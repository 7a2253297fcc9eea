import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newPerson, personChanges } from './people.ts';

test('a new person has an e-mail address or none; a stored one that is neither can stay', () => {
  const isValid = (email: string): boolean =>
    z.safeParse(newPerson, { login_name: 'olga', password: 'long enough to pass', email, roles: {} }).success;
  expect(['', 'olga@example.com', ' olga@lan '].map(isValid)).toEqual([true, true, true]);
  expect(['olga', 'olga@', '@example.com', 'o lga@example.com'].map(isValid)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(z.safeParse(personChanges, { email: 'olga' }).success).toBe(true);
});
