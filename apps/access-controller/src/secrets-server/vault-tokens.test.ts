import { as, tokenWith } from '@gatehouse/secrets-server/testing/people';
import { startServer } from '@gatehouse/secrets-server/testing/server';
import {
  controllerPolicy,
  tokenPeriod,
  startServerForController,
} from '@gatehouse/secrets-server/testing/server-for-controller';
import type { ServerForController } from '@gatehouse/secrets-server/testing/server-for-controller';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { itemsOf, textOf } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { generatedProject } from '../testing/sources.ts';
import { attributesOf, reasonOf, startVaultStores } from '../testing/vault-stores.ts';
import type { VaultStores } from '../testing/vault-stores.ts';

let vault: VaultStores<ServerForController>;
beforeAll(async () => {
  vault = await startVaultStores(await startServerForController());
});
afterAll(() => vault[Symbol.asyncDispose]());

async function expirationOf(storeId: string): Promise<unknown> {
  return attributesOf(await vault.operator.get(`/v1/credential-stores/${storeId}`))['token_expiration_time'];
}

/** When a token expires that has just been renewed. */
function fullTime(): string {
  return new Date(vault.controller.clock.now() + tokenPeriod * 1000).toISOString();
}

describe('the token of a store', () => {
  test('is renewed automatically after half its time, repeatedly', async () => {
    const id = textOf((await vault.createStore()).body, 'id');
    for (let round = 0; round < 3; round++) {
      vault.advance(tokenPeriod * 600);
      await expect.poll(() => expirationOf(id)).toBe(fullTime());
    }
    expect(await vault.tokenStatus(id)).toBe('current');
  });

  test('shows, also in refreshed lists, when it is revoked at the server, and can be replaced', async () => {
    const token = await vault.secrets.newToken();
    const store = (await vault.createStore({ token })).body;
    const id = textOf(store, 'id');
    const listed = await vault.operator.get(`/v1/credential-stores?scope_id=${generatedProject}`);
    await vault.secrets.with(token).write('auth/token/revoke-self');
    const refused = await vault.authorizeWith({}, id);
    expect([refused.status, reasonOf(refused)]).toEqual([400, 'token-revoked']);
    expect(await vault.tokenStatus(id)).toBe('revoked');
    const again = await vault.operator.get(
      `/v1/credential-stores?scope_id=${generatedProject}&list_token=${encodeURIComponent(textOf(listed.body, 'list_token'))}`,
    );
    const refreshed = itemsOf(again).find((item) => item['id'] === id);
    expect(refreshed).toMatchObject({ version: 1, attributes: { token_status: 'revoked' } });
    const replaced = await vault.operator.patch(`/v1/credential-stores/${id}`, {
      version: 1,
      attributes: { token: await vault.secrets.newToken() },
    });
    expect(replaced.body).toMatchObject({ version: 2, attributes: { token_status: 'current' } });
    expect((await vault.authorizeWith({}, id)).status).toBe(200);
  });

  test("is renewed while other servers don't answer, however many tokens are due there", async () => {
    await using silent = await startForeignServer();
    for (let count = 0; count < 12; count++)
      expect((await vault.createStore({ address: silent.url, token: `hvs.${count}` })).status).toBe(200);
    let asked = 0;
    silent.fail(() => void (asked += 1));
    // Half of their time has passed, so they are due.
    vault.advance(1_801_000);
    await expect.poll(() => asked).toBe(1);
    const id = textOf((await vault.createStore()).body, 'id');
    vault.advance(tokenPeriod * 600);
    await expect.poll(() => expirationOf(id)).toBe(fullTime());
  });

  test("is renewed, and other users get credentials, while one user's requests to its server hang", async () => {
    await using server = await startForeignServer();
    const id = textOf((await vault.createStore({ address: server.url })).body, 'id');
    let hanging = 0;
    server.fail((req, res) => {
      if (req.url === '/v1/hangs') {
        hanging += 1;
        return;
      }
      res.writeHead(200, { 'content-type': 'application/json' });
      const answer = { auth: { lease_duration: tokenPeriod }, data: { username: 'u', password: 'p' } };
      res.end(JSON.stringify(answer));
    });
    const targetAt = async (path: string): Promise<string> =>
      vault.targetWith(textOf((await vault.createLibrary({ attributes: { path } }, id)).body, 'id'));
    const [hangs, answers] = [await targetAt('hangs'), await targetAt('answers')];
    const admin = await vault.controller.as('administrator');
    const requests = Array.from({ length: 12 }, () => vault.authorize(hangs));
    await expect.poll(() => hanging).toBe(4);
    expect((await admin.post(`/v1/targets/${answers}:authorize-session`, {})).status).toBe(200);
    vault.advance(tokenPeriod * 600);
    await expect.poll(() => expirationOf(id)).toBe(fullTime());
    expect(hanging).toBe(4);
    await server[Symbol.asyncDispose]();
    for (const { status } of await Promise.all(requests)) expect(status).toBe(400);
  });

  test("is renewed even if another store's token can't be decrypted", async () => {
    const broken = textOf((await vault.createStore()).body, 'id');
    const store = openDatabase(vault.controller.dataDir);
    await store.write((tx) => {
      tx.run(
        tx.build
          .updateTable('vault_token')
          .set({ sealed: Buffer.from('broken') })
          .where('store_id', '=', broken)
          .compile(),
      );
    });
    await store.close();
    const id = textOf((await vault.createStore()).body, 'id');
    vault.advance(tokenPeriod * 600);
    await expect.poll(() => expirationOf(id)).toBe(fullTime());
  });

  test('can be replaced however many tokens other stores have, but only a limited number of times', async () => {
    const before = textOf((await vault.createStore()).body, 'id');
    const store = openDatabase(vault.controller.dataDir);
    const addEarlier = (count: number, storeId: string): Promise<void> =>
      store.write((tx) => {
        tx.run(
          withParameters(
            sql
              .raw(
                `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ?)
                 INSERT INTO vault_token (id, store_id, status, sealed, server, expiration_time, failures)
                 SELECT 'earlier ' || ?2 || value, ?2, 'maintaining', x'00', '', 0, 0 FROM number`,
              )
              .compile(tx.build),
            count,
            storeId,
          ),
        );
      });
    const replace = async (id: string, version: number): Promise<unknown> =>
      (
        await vault.operator.patch(`/v1/credential-stores/${id}`, {
          version,
          attributes: { token: await vault.secrets.newToken() },
        })
      ).body['message'] ?? 'replaced';
    await addEarlier(2_000, 'deleted');
    const refused = await vault.createStore();
    expect([refused.status, textOf(refused.body, 'message')]).toEqual([
      400,
      expect.stringContaining('Delete credential stores first'),
    ]);
    expect(await replace(before, 1)).toBe('replaced');
    // The token that was just replaced may not be revoked yet.
    await addEarlier(20, before);
    expect(await replace(before, 2)).toMatch(/still has earlier tokens \(2[01]\)/);
    await store.write((tx) => {
      tx.run(
        tx.build
          .deleteFrom('vault_token')
          .where('sealed', '=', Buffer.from([0]))
          .compile(),
      );
    });
    await store.close();
    expect(await replace(before, 2)).toBe('replaced');
    expect((await vault.createStore()).status).toBe(200);
  });

  test("isn't judged by its former server's answers after a move", async () => {
    const token = 'hvs.one-for-both';
    await using former = await startForeignServer();
    await using next = await startForeignServer();
    const store = (await vault.createStore({ address: former.url, token })).body;
    const id = textOf(store, 'id');
    const held = Promise.withResolvers<() => void>();
    former.fail((_req, res) => {
      held.resolve(() => res.writeHead(403).end('{"errors":["permission denied"]}'));
    });
    vault.advance(tokenPeriod * 600);
    const answer = await held.promise;
    const moved = await vault.operator.patch(`/v1/credential-stores/${id}`, {
      version: 1,
      attributes: { address: next.url, token },
    });
    expect(moved.body).toMatchObject({ version: 2, attributes: { token_status: 'current' } });
    answer();
    // The next round at the new server finds that the one at the former server has ended.
    let asked = 0;
    next.fail((_req, res) => {
      asked += 1;
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ auth: { lease_duration: tokenPeriod } }));
    });
    vault.advance(tokenPeriod * 600);
    await expect.poll(() => asked).toBe(1);
    expect(await vault.tokenStatus(id)).toBe('current');
  });

  test('has expired if its time ran out while the server was unreachable', async () => {
    const short = await startServer();
    const admin = await as(short, 'administrator');
    await admin.write('sys/policies/acl/controller', { policy: controllerPolicy });
    const token = await tokenWith(admin, { policies: ['controller'], period: '60s', no_parent: true });
    const id = textOf((await vault.createStore({ token, address: short.url })).body, 'id');
    await short[Symbol.asyncDispose]();
    vault.advance(31_000);
    await expect.poll(() => vault.tokenStatus(id)).toBe('renewing');
    const waiting = await vault.authorizeWith({}, id);
    expect(reasonOf(waiting)).toBe('unreachable');
    vault.advance(30_000);
    expect(await vault.tokenStatus(id)).toBe('expired');
    expect(reasonOf(await vault.authorizeWith({}, id))).toBe('token-expired');
  });
});
