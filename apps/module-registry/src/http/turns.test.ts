import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import { archive } from '@gatehouse/module-archive/testing/archives';
import { testClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { addTestPeople, openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { countTurns } from '@gatehouse/service-kit/testing/turn-counter';
import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
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
  const counter = countTurns();
  /** The turn in which each request was answered. */
  const answered: number[] = [];
  const server = await listen(
    (req, res) => {
      res.once('prefinish', () => answered.push(counter.turn));
      service.handler(req, res);
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    folder,
    server,
    answered,
    async [Symbol.asyncDispose]() {
      counter[Symbol.dispose]();
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

test('sends the versions of a module, and the content of one, in parts', async () => {
  await using registry = await startCounting();
  const { folder, server } = registry;
  const operator = await signIn(server.address, 'operator');
  await operator.publish('operator/net/aws/1.0.0', archive({ 'main.tf': '' }));
  using database = new DatabaseSync(folder.file('module-registry.db'));
  const deprecation = { state: 'deprecated', message: 'm'.repeat(1000), replacement: '', date: 0 };
  database.exec(`
    UPDATE version SET deprecation = '${JSON.stringify(deprecation)}', folders = '{"readme":"${'x'.repeat(1_000_000)}"}';
    INSERT INTO version (module_id, version, description, source, owner, archive_size, archive_sha256, deprecation, published_time)
      WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1999)
      SELECT module_id, '0.0.' || n, '', '', owner, 1, '', deprecation, 0 FROM version, n`);
  for (const path of ['versions', '1.0.0']) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET /v1/modules/operator/net/aws/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const text = String(await buffer(socket));
    const sizes = text.matchAll(/\r\n([0-9a-f]+)\r\n/g).map(([, size = '']) => Number.parseInt(size, 16));
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(Math.max(...sizes)).toBeLessThan(140_000);
  }
});

test('reads the content of a version while it is sent, and cuts the answer off if the version is deleted', async () => {
  await using registry = await startCounting();
  const { folder, server } = registry;
  const operator = await signIn(server.address, 'operator');
  await operator.publish('operator/net/aws/1.0.0', archive({ 'main.tf': '' }));
  using database = new DatabaseSync(folder.file('module-registry.db'));
  const path = '/v1/modules/operator/net/aws/1.0.0';
  // Two bytes per character, so that pieces end in the middle of characters.
  database.exec(`UPDATE version SET folders = '{"readme":"x${'é'.repeat(100_000)}"}'`);
  const whole = await (await fetch(server.address + path)).text();
  expect(JSON.parse(whole)).toMatchObject({ readme: `x${'é'.repeat(100_000)}` });
  // More than the system keeps of an answer that its client doesn't read.
  database.exec(`UPDATE version SET folders = '{"readme":"${'x'.repeat(20 * 2 ** 20)}"}'`);
  const { promise: sent, resolve } = Promise.withResolvers<ServerResponse>();
  server.server.once('request', (_req, res) => resolve(res));
  const answer = await fetch(server.address + path);
  const res = await sent;
  await expect.poll(() => res.writableNeedDrain).toBe(true);
  database.exec('UPDATE version SET deleted_time = 0');
  await expect(answer.text()).rejects.toThrow('terminated');
});

test('answers a health probe in its turn while users wait for theirs', async () => {
  await using registry = await startCounting();
  expect(await turnsBefore(() => fetch(`${registry.server.address}/health`), true)).toBe(20);
});
