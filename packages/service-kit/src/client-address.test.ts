import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { addressList, clientAddress, networkOf, plainAddress } from './client-address.ts';
import { listen, type ListenTarget } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The address that a service at this place attributes a request with this header to. */
async function counted(where: ListenTarget, forwarded?: string): Promise<string> {
  const service = {
    name: 'boxes',
    version: '',
    handler: (req: IncomingMessage, res: ServerResponse) => res.end(clientAddress(req) ?? 'nobody'),
    errorBody: String,
    ready: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  } as const;
  const server = await listen(service, where);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const to = 'socketPath' in where ? where : { host: '127.0.0.1', port: server.port };
  request({ ...to, headers, agent: false }, resolve)
    .once('error', reject)
    .end();
  const seen = await text(await promise);
  await server.drain(0);
  return seen;
}

const port = { host: '127.0.0.1', port: 0 };

test('ignores X-Forwarded-For from a stranger', async () => {
  expect(await counted(port, '203.0.113.1')).toBe('127.0.0.1');
  expect(await counted({ ...port, forwardedFrom: ['127.0.0.2'] }, '203.0.113.1')).toBe('127.0.0.1');
});

test('accepts X-Forwarded-For from a trusted address', async () => {
  const authorized = { ...port, forwardedFrom: ['127.0.0.1', '10.0.0.0/8'] };
  expect(await counted(authorized)).toBe('127.0.0.1');
  expect(await counted(authorized, '203.0.113.1')).toBe('203.0.113.1');
  // Anyone can forge the entries before the last hop.
  expect(await counted(authorized, '1.1.1.1, 203.0.113.1, 10.1.2.3')).toBe('203.0.113.1');
  // Some proxies append the port; if it were not removed, all of their clients would count as the proxy.
  for (const entry of ['203.0.113.1:51234', '[2001:db8::7]:51234', '[2001:db8::7]'])
    expect(await counted(authorized, entry)).toBe(entry.includes('db8') ? '2001:db8::7' : '203.0.113.1');
  expect(await counted(authorized, '203.0.113.1, 10.1.2.3:80')).toBe('203.0.113.1');
  expect(await counted(authorized, 'a name')).toBe('127.0.0.1');
  expect(await counted(authorized, `${'1.1.1.1,'.repeat(3000)} 203.0.113.1`)).toBe('203.0.113.1');
});

test("accepts X-Forwarded-For on the private socket, and has no address for the socket's own requests", async () => {
  using folder = temporaryFolder();
  const socket = { socketPath: folder.file('service.sock') };
  expect(await counted(socket)).toBe('nobody');
  expect(await counted(socket, '1.1.1.1, 2001:db8::7')).toBe('2001:db8::7');
});

test('matches addresses against lists of addresses and networks', () => {
  const list = addressList(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32']);
  for (const address of ['192.0.2.1', '10.255.0.1', '2001:db8:ffff::1']) expect(list(address)).toBe(true);
  for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', 'localhost', ''])
    expect(list(address)).toBe(false);
  for (const entry of ['example.org', '', '10.0.0.0/', '10.0.0.0/99', '10.0.0.0/8/8'])
    expect(() => addressList([entry])).toThrow(RangeError);
});

test.each([
  [
    '127.0.0.1',
    ['127.0.0.2', '127.255.1.9', '0.0.0.0', '0.1.2.3', '::1', '::', '0:0:0:0:0:0:0:1', '::ffff:127.8.9.1'],
  ],
  [
    '203.0.113.7',
    ['::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:cb00:7107'],
  ],
  ['169.254.1.1', ['169.254.200.9', '::ffff:a9fe:0102']],
  ['fe80::1', ['fe80::2', 'fe80::2%eth0', 'FE80:0:0:0:1:2:3:4']],
  ['fd00:1:2:3::1', ['fd00:1:2:3::9', 'FD00:0001:0002:0003:ffff::']],
  ['2001:db8::1', ['2001:0db8:0:0:1::', '2001:db8:0:0:ffff:ffff:203.0.113.7']],
])('counts %s and other addresses that one machine can use as one network', (address, others) => {
  for (const other of others) expect(networkOf(other), other).toBe(networkOf(address));
});

test('counts addresses of different machines as different networks', () => {
  const apart = [
    '127.0.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '1.0.0.0',
    '169.254.0.1',
    '169.253.255.255',
    '10.0.0.1',
  ];
  const six = ['fe80::1', 'fd00:1:2:3::1', 'fd00:1:2:4::1', '2001:db8::1', '::2:0:0:0:1', '::1:0:0:0:0'];
  const all = [...apart, '10.0.0.2', ...six, ''];
  expect(new Set(all.map(networkOf)).size).toBe(all.length);
});

test('writes every address in one canonical form', () => {
  expect(plainAddress(' ::FFFF:0a01:0203 ')).toBe('10.1.2.3');
  expect(plainAddress('2001:0DB8:0::7')).toBe('2001:db8::7');
  for (const text of ['', 'a name', '10.1.2.3', '::ffff:1.2.3.4.5']) expect(plainAddress(text)).toBe(text);
});
