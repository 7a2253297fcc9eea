import { expect, test } from 'vitest';
import { emptyBody } from './body.ts';
import {
  checkPairs,
  durationField,
  integerField,
  integerListField,
  textField,
  textListField,
  verbatimListField,
} from './fields.ts';

const bodyWith = (value: unknown) => ({ ...emptyBody, values: { field: value } });
const refusal = (why: string): string =>
  `Field validation failed: error converting input for field "field": ${why}`;

test('a text has at most 64 KiB unless its reader asks for more', () => {
  const body = bodyWith('x'.repeat(65_537));
  expect(textField(bodyWith('x'.repeat(65_536)), 'field')).toHaveLength(65_536);
  expect(() => textField(body, 'field')).toThrow(refusal('text of more than 65536 characters'));
  expect(textField(body, 'field', 65_537)).toHaveLength(65_537);
});

test.each([textListField, verbatimListField])('a list has at most 256 KiB in all: %o', (read) => {
  const half = 'x'.repeat(131_072);
  expect(read(bodyWith([half, half]), 'field')).toHaveLength(2);
  expect(() => read(bodyWith([half, half, 'x']), 'field')).toThrow(
    refusal('texts of more than 262144 characters in all'),
  );
});

test('a map of texts has at most 64 members and 64 KiB in all', () => {
  const pairs = (count: number, text: string) =>
    Array.from({ length: count }, (_, n): [string, string] => [String(n % 10), text]);
  checkPairs(pairs(64, 'é'.repeat(511)), 'field');
  expect(() => checkPairs(pairs(64, 'é'.repeat(512)), 'field')).toThrow(refusal('more than 65536 bytes'));
  expect(() => checkPairs(pairs(65, ''), 'field')).toThrow(refusal('more than 64 members'));
});

test('a duration and a whole number have at most 100 characters, and a refusal does not repeat longer ones', () => {
  expect(durationField(bodyWith('1s'.repeat(50)), 'field')).toBe(50);
  expect(() => durationField(bodyWith('1s'.repeat(51)), 'field')).toThrow(
    refusal('text of more than 100 characters'),
  );
  expect(integerField(bodyWith('7'.padStart(100, '0')), 'field')).toBe(7);
  for (const read of [integerField, integerListField])
    expect(() => read(bodyWith('7'.padStart(101, '0')), 'field')).toThrow(refusal('not an integer'));
});
