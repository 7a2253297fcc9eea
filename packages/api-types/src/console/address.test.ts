import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressProblem, isIpv6 } from './address.ts';

test.each([
  'db',
  'a.b',
  'db.internal',
  'DB-1.internal.',
  'under_score.example',
  '10.0.0.1',
  '255.255.255.255',
  '::1',
  '2001:db8::1',
  'fe80::1:2:3:4',
  '::ffff:10.0.0.1',
  '1:2:3:4:5:6:7:8',
  `${'a'.repeat(63)}.b`,
])('accepts the address %s if it is long enough', (address) => {
  if (address.length >= 3) expect(addressProblem(address)).toBeUndefined();
  else expect(addressProblem(address)).toBe('An address must have 3 to 255 characters.');
});

test('accepts 3 to 255 characters', () => {
  const label = `${'a'.repeat(63)}.`;
  const longest = label.repeat(3) + 'a'.repeat(63);
  expect(longest.length).toBe(255);
  expect(addressProblem(longest)).toBeUndefined();
  expect(addressProblem(`${longest}.`)).toBe('An address must have 3 to 255 characters.');
  expect(addressProblem('abc')).toBeUndefined();
  expect(addressProblem('ab')).toBe('An address must have 3 to 255 characters.');
});

test.each([
  ['a b', "An address can't contain spaces."],
  ['https://db.internal', 'Leave out the scheme: enter only the host name or IP address.'],
  ['db.internal/path', 'Leave out the path: enter only the host name or IP address.'],
  ['db.internal:22', 'Leave out the port: it is set on the target, as its default port.'],
  ['10.0.0.1:22', 'Leave out the port: it is set on the target, as its default port.'],
  ['[2001:db8::1]', 'Enter an IPv6 address without brackets and without a port.'],
  ['[2001:db8::1]:22', 'Enter an IPv6 address without brackets and without a port.'],
  ['10.0.0.256', 'An IPv4 address has four numbers from 0 to 255.'],
  ['-db', 'This is neither a host name nor an IP address.'],
  ['db-', 'This is neither a host name nor an IP address.'],
  ['db..internal', 'This is neither a host name nor an IP address.'],
  [`${'a'.repeat(64)}.b`, 'This is neither a host name nor an IP address.'],
  ['2001:db8::1::2', 'This is neither a host name nor an IP address.'],
  ['1:2:3:4:5:6:7', 'This is neither a host name nor an IP address.'],
])('refuses %s: %s', (address, problem) => {
  expect(addressProblem(address)).toBe(problem);
});

test('agrees with Node on IPv6, except for zones', () => {
  const group = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
    fc.constantFrom('g', '12345', '1.2.3.4', '1.2.3.256'),
  );
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 10 }), (groups) => {
      const text = groups.join(':');
      expect(isIpv6(text), text).toBe(isIPv6(text));
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 200_000 : 5_000 },
  );
  fc.assert(fc.property(fc.ipV6(), (text) => isIpv6(text)));
});
