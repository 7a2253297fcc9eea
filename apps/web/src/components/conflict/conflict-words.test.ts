import { expect, test } from 'vitest';
import { numberOf } from './conflict-words.ts';

test('a record is spoken of in its number', () => {
  expect(numberOf('role')).toEqual({ one: 'This role', it: 'It', was: 'was' });
  expect(numberOf('root credentials')).toEqual({ one: 'These root credentials', it: 'They', was: 'were' });
});
