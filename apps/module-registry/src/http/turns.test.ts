import { once } from 'node:events';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import { archive } from '@gatehouse/module-archive/testing/archives';
import { testClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { addTestPeople, openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import { createService } from '../app.ts';
import { signIn } from '../testing/server.ts';

/** A registry that records the turn of the event loop in which it sends each answer. */
async function startCounting() {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  await addTestPeople(accounts, 'modules');
  const service = await createService({ dataDir: folder.path, accounts, clock, content: contentReader() });
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  /** The turn in which each request was answered. */
  const answered: number[] = [];
  const server = await listen(
    (req, res) => {
      res.once('prefinish', () => answered.push(turn));
      service.handler(req, res);
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    folder,
    server,
    answered,
    async [Symbol.asyncDispose]() {
      clearImmediate(next);
      await server.drain(0);
      await service.close();
      await accounts.close();
      folder[Symbol.dispose]();
    },
  };
}

test('answers each of many concurrent anonymous requests in its own turn of the event loop', async () => {
  await using registry = await startCounting();
  const { server, answered } = registry;
  const sockets = Array.from({ length: 30 }, () => connect(server.port, '127.0.0.1'));
  for (let accepted = 0; accepted < sockets.length; accepted += 1) await once(server.server, 'connection');
  for (const socket of sockets)
    socket.write('GET /v1/modules HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await Promise.all(sockets.map((socket) => buffer(socket)));
  expect(answered).toHaveLength(30);
  expect(new Set(answered).size).toBe(30);
});

test("returns a version's content as stored, without parsing and formatting it", async () => {
  await using registry = await startCounting();
  const { folder, server } = registry;
  const operator = await signIn(server.address, 'operator');
  await operator.publish('operator/net/aws/1.0.0', archive({ 'main.tf': '' }));
  using database = new DatabaseSync(folder.file('module-registry.db'));
  // Parsed and formatted again, this would become `{"examples":[1,1]}`.
  database.exec(`UPDATE version SET folders = '{ "examples": [1.0, 1e0] }'`);
  for (const path of ['', '/1.0.0']) {
    const answer = await fetch(`${server.address}/v1/modules/operator/net/aws${path}`);
    const text = await answer.text();
    expect(text).toContain('"examples": [1.0, 1e0]');
    expect(JSON.parse(text)).toMatchObject({ version: '1.0.0', examples: [1, 1] });
  }
});
