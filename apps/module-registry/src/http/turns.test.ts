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
import { clientOf } from '../testing/client.ts';
import { signIn } from '../testing/server.ts';

/** A registry that counts the turns of the event loop that each of its answers takes. */
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
  /** When each request came and was answered. */
  const answered: { readonly from: number; readonly to: number }[] = [];
  const server = await listen(
    (req, res) => {
      const from = turn;
      res.once('prefinish', () => answered.push({ from, to: turn }));
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

test('of many requests of strangers at once, each is answered in a turn of the event loop of its own', async () => {
  await using registry = await startCounting();
  const { server, answered } = registry;
  const sockets = Array.from({ length: 30 }, () => connect(server.port, '127.0.0.1'));
  for (let accepted = 0; accepted < sockets.length; accepted += 1) await once(server.server, 'connection');
  for (const socket of sockets)
    socket.write('GET /v1/modules HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await Promise.all(sockets.map((socket) => buffer(socket)));
  expect(answered).toHaveLength(30);
  expect(new Set(answered.map(({ to }) => to)).size).toBe(30);
});

test('what a version declares is read in one turn of the event loop and sent in another', async () => {
  await using registry = await startCounting();
  const { folder, server, answered } = registry;
  const operator = await signIn(server.address, 'operator');
  for (const name of ['small', 'large'])
    await operator.publish(`operator/${name}/aws/1.0.0`, archive({ 'main.tf': '' }));
  const database = new DatabaseSync(folder.file('module-registry.db'));
  const many = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}` })));
  database
    .prepare(`UPDATE version SET content = json_set(content, '$.examples', json(?)) WHERE module_id = 2`)
    .run(many);
  database.close();
  const turnsOf = async (path: string): Promise<number> => {
    await clientOf(server.address, undefined).get(path);
    const { from, to } = answered.at(-1)!;
    return to - from;
  };
  for (const path of ['', '/1.0.0']) {
    const small = await turnsOf(`/v1/modules/operator/small/aws${path}`);
    expect(await turnsOf(`/v1/modules/operator/large/aws${path}`)).toBe(small + 1);
  }
});
