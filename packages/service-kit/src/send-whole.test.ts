import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sendWhole } from './send-whole.ts';

/** Announces three bytes and sends `text` from a source that does not end; the client leaves once it has that text. */
async function leftWith(text: string): Promise<boolean> {
  const sending = Promise.withResolvers<boolean>();
  const server = http.createServer((_req, res) => {
    res.writeHead(200, { 'Content-Length': 3 });
    const source = new Readable({ read: () => undefined });
    source.push(text);
    sendWhole(source, res, 3).then(sending.resolve, sending.reject);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const request = http.get({ host: '127.0.0.1', port, agent: false });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.on('error', () => undefined);
  await once(answer, 'data');
  answer.destroy();
  return await sending.promise.finally(() => server.close());
}

test('succeeds when a client leaves with every byte, even before the source has ended', async () => {
  await expect(leftWith('abc')).resolves.toBe(true);
});

test('returns false and closes the source when the client left before the start', async () => {
  const source = Readable.from(['abc']);
  await expect(sendWhole(source, new PassThrough().destroy(), 3)).resolves.toBe(false);
  expect(source.destroyed).toBe(true);
});

test('returns false when the client leaves before the last byte', async () => {
  await expect(leftWith('ab')).resolves.toBe(false);
});

test('throws the error of a failing source', async () => {
  const source = new Readable({ read: () => source.destroy(new Error('the disk failed')) });
  await expect(sendWhole(source, new PassThrough(), 3)).rejects.toThrow('the disk failed');
});

test('throws when the source failed before the start', async () => {
  const source = Readable.from(['abc']).destroy();
  await expect(sendWhole(source, new PassThrough(), 3)).rejects.toThrow('Premature close');
});

test('throws when a source ends early, and cuts the connection instead of ending the body', async () => {
  const connection = new PassThrough();
  await expect(sendWhole(Readable.from([Buffer.from('ab')]), connection, 3)).rejects.toThrow('2 of 3 bytes');
  expect([connection.writableEnded, connection.destroyed]).toEqual([false, true]);
});

test('throws when a source is longer than announced, and sends nothing beyond that length', async () => {
  const connection = new PassThrough();
  const source = Readable.from([Buffer.from('ab'), Buffer.from('cdef')]);
  await expect(sendWhole(source, connection, 3)).rejects.toThrow('did not end after 3 bytes');
  expect([connection.readableLength <= 2, connection.destroyed]).toEqual([true, true]);
});
