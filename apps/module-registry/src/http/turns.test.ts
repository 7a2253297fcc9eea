import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import { testClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import { createService } from '../app.ts';

test('of many requests of strangers at once, each is answered in a turn of the event loop of its own', async () => {
  using folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  const service = await createService({ dataDir: folder.path, accounts, clock, content: contentReader() });
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const turns: number[] = [];
  const server = await listen(
    (req, res) => {
      res.once('prefinish', () => turns.push(turn));
      service.handler(req, res);
    },
    { host: '127.0.0.1', port: 0 },
  );
  try {
    const sockets = Array.from({ length: 30 }, () => connect(server.port, '127.0.0.1'));
    for (let accepted = 0; accepted < sockets.length; accepted += 1) await once(server.server, 'connection');
    for (const socket of sockets)
      socket.write('GET /v1/modules HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await Promise.all(sockets.map((socket) => buffer(socket)));
    expect(turns).toHaveLength(30);
    expect(new Set(turns).size).toBe(30);
  } finally {
    clearImmediate(next);
    await server.drain(0);
    await service.close();
    await accounts.close();
  }
});
