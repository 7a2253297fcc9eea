import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from './address.ts';

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['  db.example.com ', 'db.example.com'],
  ['db.example.com.', 'db.example.com.'],
  ['a_b-c.internal', 'a_b-c.internal'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::1', '::1'],
  ['fe80:0:0:1::', 'fe80:0:0:1::'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:0a00:0001', '10.0.0.1'],
])('normalizes %j to %j', (text, address) => {
  expect(parseAddress(text)).toEqual({ address });
});

test.each([
  ['', 'length'],
  ['ab', 'length'],
  ['x'.repeat(256), 'length'],
  ['10.0.0.1:22', 'port'],
  ['db.example.com:22', 'port'],
  ['[::1]:22', 'port'],
  ['[]:22', 'port'],
  ['0:0::0', 'length'],
  ['256.0.0.1', 'neither'],
  ['http://db', 'neither'],
  ['db/path', 'neither'],
  ['two words', 'neither'],
  ['-db.example.com', 'neither'],
  ['db..example.com', 'neither'],
  ['fe80::1%eth0', 'neither'],
  ['[10.0.0.1]', 'neither'],
  ['1:2:3', 'neither'],
  [`${'x'.repeat(64)}.com`, 'neither'],
])('refuses %j for its %s', (text, reason) => {
  expect(parseAddress(text)).toEqual({ fault: expect.stringContaining(reason) });
});

test('leaves an address that it has normalized unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.string()), (text) => {
      const once = parseAddress(text);
      if ('address' in once) expect(parseAddress(once.address)).toEqual(once);
    }),
    { numRuns: 1000 },
  );
});

test('accepts every IPv4 and IPv6 address, and every domain name of valid length', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()), (text) => {
      fc.pre(text.length >= 3 && !/^[0:.]*$/.test(text));
      expect(parseAddress(text)).toHaveProperty('address');
    }),
    { numRuns: 1000 },
  );
});
