import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import './service.ts';

/** Key exchanges with a prime that the server chooses, by their numbers in TLS (IANA's registry of cipher suites). */
const dhe = [
  0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xccaa, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3, 0x45, 0x88, 0xbe, 0xc4,
];

test('offers no key exchange whose cost the server sets', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  client.on('error', () => undefined);
  const [socket] = await accepted;
  const [hello] = (await once(socket, 'data')) as [Buffer];
  // After the headers of the record and of the message, the version, and the random number.
  const suites = 43 + 1 + hello.readUInt8(43);
  const count = hello.readUInt16BE(suites) / 2;
  const offered = Array.from({ length: count }, (_, at) => hello.readUInt16BE(suites + 2 + 2 * at));
  expect(offered).toContain(0x1301);
  expect(offered).toContain(0xc02f);
  expect(offered.filter((suite) => dhe.includes(suite))).toEqual([]);
  client.destroy();
  server.close();
});
