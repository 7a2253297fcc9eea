import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { checkHost, isPublic, lookupPublic, NotPublic, resolveByDns } from './destinations.ts';

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
    lookupPublic(false)('localhost', options, resolve);
    expect(await promise).toBeInstanceOf(NotPublic);
  },
);

/** A name server that knows these addresses, and doesn't answer for other names. */
async function startNameServer(known: Readonly<Record<string, readonly string[]>>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
    const found = known[labels.join('.')];
    if (found === undefined) return;
    const isIpv4 = query.readUInt16BE(end - 4) === 1;
    const answers = found.filter((one) => one.includes('.') === isIpv4).map(recordOf);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x81_80, 2);
    for (const [field, count] of [1, answers.length, 0, 0].entries())
      head.writeUInt16BE(count, 4 + 2 * field);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { servers: [`127.0.0.1:${socket.address().port}`], [Symbol.dispose]: () => void socket.close() };
}

/** The record of an address for the name that was asked for. */
function recordOf(address: string): Buffer {
  const bytes = address.includes('.')
    ? address.split('.').map(Number)
    : address
        .split(':')
        .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}

test('resolves names by DNS, and lets nobody wait for one whose server does not answer', async () => {
  const ipv6 = '2606:4700:4700:0:0:0:0:1111';
  using dns = await startNameServer({ 'both.example': ['8.8.8.8', ipv6], 'ipv4.example': ['8.8.4.4'] });
  const { servers } = dns;
  expect(await resolveByDns('both.example', { servers })).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
  expect(await resolveByDns('ipv4.example', { servers })).toEqual([{ address: '8.8.4.4', family: 4 }]);
  let ended = 0;
  const silent = Array.from({ length: 8 }, async (_, index) => {
    const error: unknown = await resolveByDns(`${index}.silent.example`, { servers, ms: 500 }).catch(
      (fault: unknown) => fault,
    );
    ended += 1;
    return error;
  });
  // Services that have names are found by the system's resolver.
  for (let time = 0; time < 3; time += 1) await lookup('localhost');
  await resolveByDns('ipv4.example', { servers });
  expect(ended).toBe(0);
  for (const error of await Promise.all(silent)) expect(error).toMatchObject({ code: 'ENOTFOUND' });
});
