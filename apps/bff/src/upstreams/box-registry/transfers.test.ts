import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
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
