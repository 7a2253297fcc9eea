import { expect, test } from 'vitest';
import { envelope } from './envelope.ts';

test('an answer of more than 16 Mi characters is refused, also for what it repeats', () => {
  const answered = { id: 'x', mountType: 'system' };
  const data = { a: 'x'.repeat(9 * 2 ** 20) };
  expect(envelope(answered, { data })).toContain('xxx');
  expect(() => envelope(answered, { data, repeatData: true })).toThrow('too long for one response');
});
