import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { whileHeld } from '#ground/held.ts';
import { createTransfers, type Download } from './transfers.ts';

test('a user with many slow downloads delays only their own', async () => {
  const answers: ServerResponse[] = [];
  const server = createServer((_, res) => {
    answers.push(res);
    res.writeHead(200, { 'content-length': '2' }).write('x');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/image`);
  const transfers = createTransfers('local', { endpoint: { kind: 'url', url: new URL(url.origin) } });
  const { signal } = new AbortController();
  const get = (owner: string): Promise<Download> =>
    transfers.get(transfers.placeOf(url.href), { owner, headers: {}, signal });
  const slow = Array.from({ length: 5 }, () => get('slow'));
  await Promise.all(slow.slice(0, 4));
  expect((await get('another')).status).toBe(200);
  expect(answers).toHaveLength(5);
  const [first] = await Promise.all(slow.slice(0, 1));
  for (const answer of answers) answer.end('y');
  await first?.body.toArray();
  expect((await slow[4])?.status).toBe(200);
  for (const answer of answers) answer.end('y');
  await transfers.close();
  server.closeAllConnections();
  server.close();
});

test("a download without a valid answer names the registry's fault", async () => {
  const server = createNetServer((socket) => socket.end('HTTP/1.1 200 OK\r\netag: \x7f\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/image`);
  const transfers = createTransfers('local', { endpoint: { kind: 'url', url: new URL(url.origin) } });
  const { signal } = new AbortController();
  const get = (): Promise<Download> =>
    transfers.get(transfers.placeOf(url.href), { owner: 'ada', headers: {}, signal });
  await expect(get()).rejects.toMatchObject({ code: 'bad-answer' });
  server.close();
  await expect(get()).rejects.toMatchObject({ code: 'service-unavailable' });
  await transfers.close();
});

test('no image arrives, and no upload is completed, once another console may do the work', async () => {
  const received: string[] = [];
  const server = createServer((req, res) => {
    req.resume().on('end', () => {
      received.push(req.url ?? '');
      res.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transfers = createTransfers('local', { endpoint: { kind: 'url', url: new URL(origin) } });
  const { signal } = new AbortController();
  let isHeld = true;
  const put = (path: string, body: AsyncIterable<Uint8Array> | null, length: number) =>
    whileHeld(
      () => isHeld,
      () => transfers.put(transfers.placeOf(origin + path), { length, body, signal }),
    );
  // A connection that other work opened carries the next ones.
  expect(await put('/before', null, 0)).toMatchObject({ status: 200 });
  const image = (async function* () {
    yield Buffer.from('x');
    isHeld = false;
    yield Buffer.from('y');
  })();
  await expect(put('/image', image, 2)).rejects.toMatchObject({ code: 'service-unavailable' });
  await expect(put('/callback', null, 0)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(received).toEqual(['/before']);
  await transfers.close();
  server.closeAllConnections();
  server.close();
});
