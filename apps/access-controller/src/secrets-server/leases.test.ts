import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startIssuingServer } from '@gatehouse/secrets-server/testing/issuing-server';
import type { IssuingServer } from '@gatehouse/secrets-server/testing/issuing-server';
import { tokenOf } from '@gatehouse/secrets-server/testing/people';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { createLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startController, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../testing/controller.ts';
import { SourceMaker, generatedProject } from '../testing/sources.ts';

/** Time to live of leases and tokens, in seconds. */
const ttl = 600;
const period = 3600;

const issuing = `
  path "sys/leases/renew" { capabilities = ["update"] }
  path "ledger/creds/*" { capabilities = ["update"] }`;
const revoking = `
  path "sys/leases/revoke" { capabilities = ["update"] }`;

let secrets: IssuingServer;
let controller: TestController;
let operator: Client;
let make: SourceMaker;
let store: Wire;
let target: string;
let lines: string[];
beforeEach(async () => {
  secrets = await startIssuingServer();
  lines = [];
  await begin({
    log: createLog({ service: 'access', destination: { write: (line) => void lines.push(line) } }),
  });
  store = await make.create('/v1/credential-stores', {
    scope_id: generatedProject,
    type: 'vault',
    attributes: { address: secrets.url, token: await newToken() },
  });
  const library = await make.create('/v1/credential-libraries', {
    credential_store_id: textOf(store, 'id'),
    type: 'vault-generic',
    attributes: {
      path: 'ledger/creds/orders',
      http_method: 'POST',
      http_request_body: JSON.stringify({ ttl, max_ttl: 24 * 3600 }),
    },
  });
  target = textOf(await make.target({ address: 'db.example', session_max_seconds: 7200 }), 'id');
  await make.create(`/v1/targets/${target}:add-credential-sources`, {
    version: 1,
    brokered_credential_source_ids: [textOf(library, 'id')],
  });
});
afterEach(async () => {
  await controller[Symbol.asyncDispose]();
  await secrets[Symbol.asyncDispose]();
});

async function begin(options: Parameters<typeof startController>[0]): Promise<void> {
  controller = await startController({ upkeepMs: 10, clock: secrets.clock, ...options });
  operator = await controller.as('operator');
  make = new SourceMaker(controller, operator);
}

async function signedIn(): Promise<ReturnType<IssuingServer['client']>> {
  const answer = await secrets.client().write('auth/userpass/login/admin', { password: testPassword });
  return secrets.client(tokenOf(answer));
}

async function newToken(): Promise<string> {
  const admin = await signedIn();
  await admin.write('sys/policies/acl/controller', {
    policy: issuing + revoking,
  });
  const body = { policies: ['controller'], period: `${period}s`, no_parent: true };
  return tokenOf(await admin.write('auth/token/create', body));
}

const authorize = (): Promise<Answer> => operator.post(`/v1/targets/${target}:authorize-session`, {});
async function authorized(): Promise<string> {
  const answer = await authorize();
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return textOf(answer.body, 'session_id');
}
/** Limits sessions to a minute, less than their leases. */
async function shortSessions(): Promise<void> {
  const answer = await operator.patch(`/v1/targets/${target}`, { version: 2, session_max_seconds: 60 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
const database = (): DatabaseSync => new DatabaseSync(join(controller.dataDir, 'access-controller.db'));
async function out(): Promise<number> {
  await secrets.sweep();
  return secrets.issued.size;
}
const alive = async (token: string): Promise<boolean> =>
  (await secrets.client(token).read('auth/token/lookup-self')).status === 200;

test('renews issued credentials while their session lives, and revokes them when it ends automatically', async () => {
  await authorized();
  const admin = await signedIn();
  const leases = 'sys/leases/lookup/ledger/creds/orders/';
  const [name] = (await admin.list(leases)).data['keys'] as string[];
  const left = async (): Promise<unknown> =>
    (await admin.write('sys/leases/lookup', { lease_id: `ledger/creds/orders/${name}` })).data['ttl'];
  for (let passed = 0; passed < 7200 - 400; passed += 400) {
    expect(await out()).toBe(1);
    secrets.clock.advance(400_000);
    await expect.poll(left).toBe(ttl);
  }
  expect(await out()).toBe(1);
  secrets.clock.advance(500_000);
  await expect.poll(out).toBe(0);
});

test('limits a user to 5,000 live sessions under concurrent requests, and revokes credentials issued for refused ones', async () => {
  const session = await authorized();
  const file = database();
  const one = file.prepare('SELECT * FROM session WHERE id = ?').get(session) ?? {};
  const add = file.prepare(
    `INSERT INTO session VALUES (${Object.keys(one)
      .map(() => '?')
      .join()})`,
  );
  file.exec('BEGIN');
  for (let at = 1; at < 4_999; at++) add.run(...Object.values({ ...one, id: `s_${at}` }));
  file.exec('COMMIT');
  file.close();
  const answers = await Promise.all([authorize(), authorize()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  expect(JSON.stringify(answers)).toContain('You have 5000 live sessions.');
  await expect.poll(out).toBe(2);
});

test('revokes issued credentials when the session is canceled or its target deleted', async () => {
  const session = await authorized();
  await authorized();
  expect(await out()).toBe(2);
  await operator.post(`/v1/sessions/${session}:cancel`, { version: 1 });
  await expect.poll(out).toBe(1);
  await operator.delete(`/v1/targets/${target}`);
  await expect.poll(out).toBe(0);
});

test('revokes issued credentials when no session is created', async () => {
  const bare = textOf(await make.target({ session_max_seconds: 60 }), 'id');
  const { brokered_credential_source_ids: libraries } = (await operator.get(`/v1/targets/${target}`)).body;
  await make.create(`/v1/targets/${bare}:add-credential-sources`, {
    version: 1,
    brokered_credential_source_ids: libraries,
  });
  const refused = await operator.post(`/v1/targets/${bare}:authorize-session`, {});
  expect(refused.status).toBe(404);
  await expect.poll(out).toBe(0);
});

test("revokes issued credentials that the database can't store, once the secrets server permits it", async () => {
  await shortSessions();
  await authorized();
  const policies = await signedIn();
  await policies.write('sys/policies/acl/controller', { policy: issuing });
  using file = database();
  file.exec(`
    CREATE TRIGGER no_room BEFORE INSERT ON vault_lease BEGIN SELECT raise(ABORT, 'no room'); END;
    CREATE TRIGGER no_change BEFORE UPDATE ON session BEGIN SELECT raise(ABORT, 'no room'); END`);
  expect((await authorize()).status).toBe(500);
  await expect.poll(() => lines.join('')).toContain('"event":"lease not revoked"');
  expect(await out()).toBe(2);
  expect(lines.join('')).toMatch(
    /"resourceId":"ledger\/creds\/orders\/[^\n]*"event":"lease to revoke not stored"/,
  );
  await policies.write('sys/policies/acl/controller', { policy: issuing + revoking });
  // The other session ends, which can't be stored either.
  secrets.clock.advance(70_000);
  await expect.poll(out).toBe(1);
});

test('revokes issued credentials once the secrets server permits it, though their session has been deleted', async () => {
  const session = await authorized();
  const policies = await signedIn();
  await policies.write('sys/policies/acl/controller', { policy: issuing });
  await operator.post(`/v1/sessions/${session}:cancel`, { version: 1 });
  secrets.clock.advance(1000);
  expect((await operator.get(`/v1/sessions/${session}`)).body['status']).toBe('terminated');
  await expect.poll(() => lines.join('')).toContain('"event":"lease not revoked"');
  using file = database();
  file.exec('UPDATE session SET updated_time = updated_time - 3600000');
  await expect.poll(() => file.prepare('SELECT id FROM session').all()).toEqual([]);
  expect(await out()).toBe(1);
  await policies.write('sys/policies/acl/controller', { policy: issuing + revoking });
  // The longest time between attempts, and less than the lease's time to live.
  secrets.clock.advance(60_000);
  await expect.poll(out).toBe(0);
});

test("doesn't renew the credentials of a session whose end can't be stored", async () => {
  await shortSessions();
  await authorized();
  using file = database();
  file.exec(`CREATE TRIGGER no_change BEFORE UPDATE ON session BEGIN SELECT raise(ABORT, 'no room'); END`);
  secrets.clock.advance((ttl / 2) * 1000);
  const rounds = () => lines.filter((line) => line.includes('tokens and leases not checked')).length;
  await expect.poll(rounds).toBeGreaterThan(3);
  secrets.clock.advance((ttl / 2) * 1000);
  expect(await out()).toBe(0);
});

test('keeps a replaced token until its leases are revoked, then revokes the token', async () => {
  const session = await authorized();
  const path = `/v1/credential-stores/${textOf(store, 'id')}`;
  const [first, second] = [await newToken(), await newToken()];
  const once = await operator.patch(path, { version: 1, attributes: { token: first } });
  expect(once.status, JSON.stringify(once.body)).toBe(200);
  const other = await authorized();
  expect((await operator.patch(path, { version: 2, attributes: { token: second } })).status).toBe(200);
  expect(await out()).toBe(2);
  // Less than a lease's time to live: the leases that end here are revoked, not expired.
  secrets.clock.advance((ttl - 100) * 1000);
  expect([await out(), await alive(first)]).toEqual([2, true]);
  await operator.post(`/v1/sessions/${session}:cancel`, { version: 1 });
  await operator.post(`/v1/sessions/${other}:cancel`, { version: 1 });
  await expect.poll(out).toBe(0);
  await expect.poll(() => alive(first)).toBe(false);
  expect(await alive(second)).toBe(true);
});

test("revokes issued credentials when their store is deleted, then the store's token", async () => {
  const token = await newToken();
  const path = `/v1/credential-stores/${textOf(store, 'id')}`;
  await operator.patch(path, { version: 1, attributes: { token } });
  await authorized();
  expect((await operator.delete(path)).status).toBe(204);
  await expect.poll(out).toBe(0);
  await expect.poll(() => alive(token)).toBe(false);
});

test('revokes issued credentials after a restart', async () => {
  using folder = temporaryFolder();
  await controller[Symbol.asyncDispose]();
  await begin({ dataDir: folder.path });
  store = await make.create('/v1/credential-stores', {
    scope_id: generatedProject,
    type: 'vault',
    attributes: { address: secrets.url, token: await newToken() },
  });
  const library = await make.create('/v1/credential-libraries', {
    credential_store_id: textOf(store, 'id'),
    type: 'vault-generic',
    attributes: { path: 'ledger/creds/x', http_method: 'POST', http_request_body: `{"ttl":${ttl}}` },
  });
  target = textOf(await make.target({ address: 'db.example', session_max_seconds: 60 }), 'id');
  await make.create(`/v1/targets/${target}:add-credential-sources`, {
    version: 1,
    brokered_credential_source_ids: [textOf(library, 'id')],
  });
  await authorized();
  await controller[Symbol.asyncDispose]();
  secrets.clock.advance(61_000);
  expect(await out()).toBe(1);
  await begin({ dataDir: folder.path });
  await expect.poll(out).toBe(0);
});
