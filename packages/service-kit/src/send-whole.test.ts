import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sendWhole } from './send-whole.ts';

/** Announces three bytes and sends `text` from a source that does not end; the client leaves when it has that. */
async function leftWith(text: string): Promise<void> {
  const sending = Promise.withResolvers<void>();
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
  await sending.promise.finally(() => server.close());
}

test('a client that leaves with every byte has the whole body, even if the source has not ended', async () => {
  await expect(leftWith('abc')).resolves.toBeUndefined();
});

test('a client that left before it begins leaves no source open', async () => {
  const source = Readable.from(['abc']);
  await expect(sendWhole(source, new PassThrough().destroy(), 3)).rejects.toThrow('Cannot pipe');
  expect(source.destroyed).toBe(true);
});

test('a client that leaves earlier does not', async () => {
  await expect(leftWith('ab')).rejects.toThrow('Premature close');
});
