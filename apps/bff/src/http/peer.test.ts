import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { peers } from './peer.ts';

/** The peer that a server behind `trusted` proxies sees in a request with these headers. */
async function seen(
  trusted: readonly string[],
  headers: Record<string, string | string[]>,
): Promise<{ address: string; private: boolean; stranger: string }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof seen>>>();
  const server = createServer((req: IncomingMessage, res) => {
    const known = peers(trusted);
    resolve({
      address: known.addressOf(req),
      private: known.isPrivate(req),
      stranger: known.strangerOf(req).name,
    });
    res.end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => {
    server.once('listening', listening);
  });
  request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', headers }).end();
  const result = await promise;
  server.close();
  return result;
}

test('ignores what an untrusted peer says about others', async () => {
  expect(await seen([], { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' })).toMatchObject({
    address: '127.0.0.1',
    private: true,
  });
});

test("believes trusted proxies, up to the first address that isn't one", async () => {
  const proxies = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8::/32'];
  const https = { 'x-forwarded-proto': 'https' };
  expect(await seen(proxies, { ...https, 'x-forwarded-for': '203.0.113.1' })).toMatchObject({
    address: '203.0.113.1',
    private: true,
  });
  expect(
    await seen(proxies, { ...https, 'x-forwarded-for': '1.1.1.1, 203.0.113.1, 10.1.2.3' }),
  ).toMatchObject({ address: '203.0.113.1' });
  expect(await seen(proxies, { ...https, 'x-forwarded-for': '1.1.1.1, 2001:db8::7' })).toMatchObject({
    address: '1.1.1.1',
  });
  expect(await seen(proxies, { ...https, 'x-forwarded-for': '1.1.1.1, unknown' })).toMatchObject({
    address: '127.0.0.1',
  });
  expect(await seen(proxies, { ...https, 'x-forwarded-for': '::ffff:203.0.113.1' })).toMatchObject({
    address: '203.0.113.1',
  });
  expect(await seen(proxies, { 'x-forwarded-for': '203.0.113.1' })).toMatchObject({ private: false });
  expect(await seen(proxies, { 'x-forwarded-proto': 'https, http' })).toMatchObject({ private: false });
});

test('gives strangers of one network one turn: an IPv4 address, an IPv6 /64', async () => {
  const strangerAt = async (address: string) =>
    (await seen(['127.0.0.1'], { 'x-forwarded-for': address })).stranger;
  expect(await strangerAt('203.0.113.7')).not.toBe(await strangerAt('203.0.113.8'));
  expect(await strangerAt('2001:db8::1')).toBe(await strangerAt('2001:db8::ff:2'));
  expect(await strangerAt('2001:db8::1')).not.toBe(await strangerAt('2001:db8:0:1::1'));
});
