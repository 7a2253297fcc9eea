import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersionNumbers, isVersionNumber, maxVersionNumber } from './version-number.ts';

const number = fc.stringMatching(/^[0-9]{1,3}(\.[0-9a-b]{1,3}){0,3}(-[0-9a-b-]{1,3}(\.[0-9a-b]{1,2})?)?$/);

test('sorts versions like the clients', () => {
  const ascending = [
    '0.0.1.a',
    '0.0.1',
    '0.9',
    '1.0.0-alpha',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0.pre1',
    '1.0.0',
    '1.0.1',
    '1.2.9',
    '1.10',
    '2.a',
    '2.b',
    '2',
    '20261120.0',
    '99999999999999999999999.0',
    '100000000000000000000000.0',
  ];
  for (const [at, one] of ascending.entries()) {
    for (const [otherAt, other] of ascending.entries())
      expect([one, other, Math.sign(compareVersionNumbers(one, other))]).toEqual([
        one,
        other,
        Math.sign(at - otherAt),
      ]);
  }
  expect(compareVersionNumbers('1.0', '1')).toBe(0);
  expect(compareVersionNumbers('1.0.0', '01.0')).toBe(0);
});

test('defines a total order', () => {
  fc.assert(
    fc.property(number, number, number, (a, b, c) => {
      expect(Math.sign(compareVersionNumbers(a, b))).toBe(-Math.sign(compareVersionNumbers(b, a)) + 0);
      expect(compareVersionNumbers(a, a)).toBe(0);
      if (compareVersionNumbers(a, b) <= 0 && compareVersionNumbers(b, c) <= 0)
        expect(compareVersionNumbers(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});

test("refuses version numbers that clients can't parse", () => {
  for (const good of ['1', '1.0', '0.1.a', '1.0-beta', '1.0.0-rc-1.2', '20261120.0.0'])
    expect(isVersionNumber(good)).toBe(true);
  for (const bad of [
    '',
    'v1.0',
    '1.0.0+1',
    '1_0',
    '1.',
    '.1',
    '1..0',
    '1.0-',
    '-1',
    '1 ',
    '1\n',
    '１',
    '1/2',
  ])
    expect([bad, isVersionNumber(bad)]).toEqual([bad, false]);
  expect(isVersionNumber('1'.repeat(maxVersionNumber))).toBe(true);
  expect(isVersionNumber('1'.repeat(maxVersionNumber + 1))).toBe(false);
});
