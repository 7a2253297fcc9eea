import { expect, test } from 'vitest';
import { checkHost, isPublic, lookupPublic, NotPublic } from './destinations.ts';

test.each([
  ['8.8.8.8', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['100.63.255.255', true],
  ['223.255.255.255', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450:4001::1', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.255', false],
  ['169.254.169.254', false],
  ['168.63.129.16', false],
  ['2606:4700::1%lo', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['203.0.113.9', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:a00:1::1', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['example.org', false],
  ['', false],
])('counts %s as a public address: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

test.each([
  ['http://127.0.0.1/', false],
  ['http://0x7f.1/', false],
  ['http://017700000001/', false],
  ['http://[::1]:8400/', false],
  ['http://[::ffff:7f00:1]/', false],
  ['https://8.8.8.8/', true],
  // A name's addresses are checked when the name is resolved.
  ['http://localhost/', true],
])('allows the host of %s: %s', (url, passes) => {
  const check = () => checkHost(new URL(url));
  if (passes) expect(check).not.toThrow();
  else expect(check).toThrow(NotPublic);
});

test.each([{ all: true }, { all: false }, { family: 4 }])(
  'refuses a name that resolves to this machine: %j',
  async (options) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    lookupPublic('localhost', options, resolve);
    expect(await promise).toBeInstanceOf(NotPublic);
  },
);
