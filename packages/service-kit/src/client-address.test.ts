import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { addressList, clientAddress } from './client-address.ts';
import { listen, type ListenTarget } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The address that a service at this place counts a request with the field for. */
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

test('a stranger’s X-Forwarded-For is ignored', async () => {
  expect(await counted(port, '203.0.113.1')).toBe('127.0.0.1');
  expect(await counted({ ...port, forwardedFrom: ['127.0.0.2'] }, '203.0.113.1')).toBe('127.0.0.1');
});

test('an authorized address says whom it asks for', async () => {
  const authorized = { ...port, forwardedFrom: ['127.0.0.1', '10.0.0.0/8'] };
  expect(await counted(authorized)).toBe('127.0.0.1');
  expect(await counted(authorized, '203.0.113.1')).toBe('203.0.113.1');
  // What comes before the last hop is anybody's word.
  expect(await counted(authorized, '1.1.1.1, 203.0.113.1, 10.1.2.3')).toBe('203.0.113.1');
  expect(await counted(authorized, 'a name')).toBe('127.0.0.1');
  expect(await counted(authorized, `${'1.1.1.1,'.repeat(3000)} 203.0.113.1`)).toBe('203.0.113.1');
});

test('the client of the private socket says whom it asks for, and is not limited itself', async () => {
  using folder = temporaryFolder();
  const socket = { socketPath: folder.file('service.sock') };
  expect(await counted(socket)).toBe('nobody');
  expect(await counted(socket, '1.1.1.1, 2001:db8::7')).toBe('2001:db8::7');
});

test('addresses and networks', () => {
  const list = addressList(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32']);
  for (const address of ['192.0.2.1', '10.255.0.1', '2001:db8:ffff::1']) expect(list(address)).toBe(true);
  for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', 'localhost', ''])
    expect(list(address)).toBe(false);
  for (const entry of ['example.org', '', '10.0.0.0/', '10.0.0.0/99', '10.0.0.0/8/8'])
    expect(() => addressList([entry])).toThrow(RangeError);
});
