import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sendWhole } from './send-whole.ts';

/** Announces three bytes and sends `text` from a source that does not end; the client leaves when it has that. */
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

test('a client that leaves with every byte has the whole body, even if the source has not ended', async () => {
  await expect(leftWith('abc')).resolves.toBe(true);
});

test('a client that left before it begins is no error, and leaves no source open', async () => {
  const source = Readable.from(['abc']);
  await expect(sendWhole(source, new PassThrough().destroy(), 3)).resolves.toBe(false);
  expect(source.destroyed).toBe(true);
});

test('a client that leaves earlier is no error, but does not have it', async () => {
  await expect(leftWith('ab')).resolves.toBe(false);
});

test('a source that fails is an error', async () => {
  const source = new Readable({ read: () => source.destroy(new Error('the disk failed')) });
  await expect(sendWhole(source, new PassThrough(), 3)).rejects.toThrow('the disk failed');
});

test('a source that failed before it begins is an error', async () => {
  const source = Readable.from(['abc']).destroy();
  await expect(sendWhole(source, new PassThrough(), 3)).rejects.toThrow('Premature close');
});

test('a source that ends early is an error, and the body does not end as if it were whole', async () => {
  const connection = new PassThrough();
  await expect(sendWhole(Readable.from([Buffer.from('ab')]), connection, 3)).rejects.toThrow('2 of 3 bytes');
  expect([connection.writableEnded, connection.destroyed]).toEqual([false, true]);
});

test('a source that is longer than announced is an error, and nothing beyond the length is sent', async () => {
  const connection = new PassThrough();
  const source = Readable.from([Buffer.from('ab'), Buffer.from('cdef')]);
  await expect(sendWhole(source, connection, 3)).rejects.toThrow('did not end after 3 bytes');
  expect([connection.readableLength <= 2, connection.destroyed]).toEqual([true, true]);
});
