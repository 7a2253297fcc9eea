import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { meterRecords as meterType } from './tls-records.ts';

/** A record with the given number of bytes, which begins with a header of five. */
const record = (length: number): Buffer => {
  const bytes = Buffer.alloc(5 + length, 'x');
  bytes.writeUInt16BE(length, 3);
  return bytes;
};
const records = (count: number, length: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => record(length)));

let server: Server;
/** What TLS would get of each connection. */
const passed: Buffer[] = [];

let meterRecords: typeof meterType;
// The limits per second grow only when a test says so, and have a clock that other tests don't use.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.resetModules();
  ({ meterRecords } = await import('./tls-records.ts'));
});
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});
beforeEach(async () => {
  passed.length = 0;
  server = createServer((socket) => {
    const connection = read(socket);
    const at = passed.push(Buffer.alloc(0)) - 1;
    connection.on('data', (bytes: Buffer) => {
      passed[at] = Buffer.concat([passed[at] ?? bytes, bytes]);
    });
    connection.on('end', () => connection.end('all'));
  });
  const read = meterRecords(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.close();
});

/** Sends all. @returns whether the connection was not cut */
async function send(...parts: readonly Buffer[]): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes)));
  for (const part of parts) socket.write(part);
  socket.end();
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  return answer === 'all';
}
const count = (): number => passed.reduce((sum, { length }) => sum + length, 0);

test('passes on large records, and a few small ones, unchanged', async () => {
  const sent = Buffer.concat([records(8, 22), records(200, 16_384), records(20, 22)]);
  expect(await send(sent)).toBe(true);
  expect(passed[0]?.equals(sent)).toBe(true);
});

test('reads headers that arrive in parts', async () => {
  const sent = records(4, 300);
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  for (const byte of sent) {
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  socket.end();
  await once(socket.resume(), 'close');
  expect(passed[0]?.equals(sent)).toBe(true);
});

test('cuts a connection before many small records are decrypted, alone or together with others', async () => {
  expect(await send(records(10_000, 22))).toBe(false);
  expect(count()).toBeLessThan(3_072 * 27);
  vi.advanceTimersByTime(60_000);
  passed.length = 0;
  const whole = await Promise.all(Array.from({ length: 100 }, () => send(records(200, 22))));
  expect(whole.filter((one) => one).length).toBeLessThan(20);
  expect(count()).toBeLessThan(27 * (3_000 + 100 * 10));
  // Those who send only a few are not affected.
  expect(await send(records(8, 22))).toBe(true);
});
