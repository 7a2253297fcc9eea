import { expect, test } from 'vitest';
import { numberOf } from './conflict-words.ts';

test('the grammar follows the number of the noun', () => {
  expect(numberOf('role')).toEqual({ one: 'This role', it: 'It', was: 'was' });
  expect(numberOf('root credentials')).toEqual({ one: 'These root credentials', it: 'They', was: 'were' });
});
