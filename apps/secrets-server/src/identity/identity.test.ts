import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testClock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { withdrawAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../app.ts';
import { clientOf } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';
import { as, authOf, errorsOf, signIn, tokenOf, tokenWith } from '../testing/people.ts';
import { startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

test('neither files nor the log contain tokens, wrapped values, policies, passwords or token metadata', async () => {
  const lines: string[] = [];
  await using server = await startServer({
    log: createLog({
      service: 'secrets',
      level: 'debug',
      destination: { write: (line) => void lines.push(line) },
    }),
  });
  const login = await signIn(server, 'admin');
  const admin = server.with(tokenOf(login));
  await signIn(server, 'admin', 'wrong-canary-password');
  await admin.write('sys/policies/acl/named', { policy: 'path "canary-path/*" { policy = "read" }' });
  const child = await tokenWith(admin, { meta: { note: 'canary-meta' }, policies: ['named'], num_uses: 5 });
  const chosen = await tokenWith(admin, { id: 'canary-chosen-token' });
  await server.with(child).read('auth/token/lookup-self');
  await server.with('canary-bad-token').read('canary-path/x');
  const wrapped = await admin.send(
    'POST',
    'sys/wrapping/wrap',
    { a: 'canary-wrapped' },
    { 'x-vault-wrap-ttl': '60' },
  );
  const wrapping = String((wrapped.body['wrap_info'] as { token: unknown }).token);
  await admin.write('auth/token/lookup', { token: child });

  const everything = [
    lines.join('\n'),
    ...filesBelow(server.dataDir).map((file) => readFileSync(file, 'latin1')),
  ];
  expect(everything.length).toBeGreaterThan(2);
  expect(lines.length).toBeGreaterThan(5);
  for (const secret of [admin.token, child, chosen, wrapping, 'canary', testPassword]) {
    for (const text of everything) expect(text.includes(secret ?? '-')).toBe(false);
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}

test('tokens, policies, namespaces and wrapped answers survive a restart', async () => {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  const { account } = await accounts.ensureFirstAdministrator({ password: testPassword });
  const start = async () => {
    const service = await createService({ dataDir: folder.path, accounts, clock });
    const listening = await listen(service, { host: '127.0.0.1', port: 0 });
    return {
      url: listening.address,
      async stop() {
        await listening.drain(0);
        await service.close();
      },
    };
  };
  let running = await start();
  const login = await clientOf(running.url, undefined).write('auth/userpass/login/admin', {
    password: testPassword,
  });
  const token = tokenOf(login);
  let admin = clientOf(running.url, token);
  await admin.delete('sys/policies/acl/operator');
  await admin.write('sys/policies/acl/administrator', {
    policy: 'path "*" { capabilities = ["create", "read", "update", "list", "sudo"] }',
  });
  await admin.write('sys/namespaces/team');
  await admin.write('team/sys/policies/acl/mine', { policy: 'path "a" { policy = "read" }' });
  const counted = await tokenWith(admin, { num_uses: 2 });
  await clientOf(running.url, counted).read('auth/token/lookup-self');
  const wrapped = await admin.send('POST', 'sys/wrapping/wrap', { a: 1 }, { 'x-vault-wrap-ttl': '60' });

  await running.stop();
  running = await start();
  admin = clientOf(running.url, token);
  expect((await admin.read('auth/token/lookup-self')).status).toBe(200);
  // The edited policy is not reset at the start.
  expect((await admin.delete('sys/namespaces/team')).status).toBe(403);
  expect((await admin.read('sys/policies/acl/operator')).status).toBe(404);
  expect((await admin.list('team/sys/policies/acl')).data['keys']).toEqual(['default', 'mine']);
  expect((await clientOf(running.url, counted).read('auth/token/lookup-self')).status).toBe(200);
  expect((await clientOf(running.url, counted).read('auth/token/lookup-self')).status).toBe(403);
  const wrapping = String((wrapped.body['wrap_info'] as { token: unknown }).token);
  expect((await admin.write('sys/wrapping/unwrap', { token: wrapping })).data).toEqual({ a: 1 });

  // A password changed while the server is stopped voids the tokens, too.
  await running.stop();
  await accounts.setPassword(account.id, 'another horse');
  running = await start();
  expect((await clientOf(running.url, token).read('auth/token/lookup-self')).status).toBe(403);
  const again = await clientOf(running.url, undefined).write('auth/userpass/login/admin', {
    password: 'another horse',
  });
  const root = clientOf(running.url, tokenOf(again));
  await expect.poll(async () => (await root.list('auth/token/accessors')).data['keys']).toHaveLength(1);
  await running.stop();
  await accounts.close();
  folder[Symbol.dispose]();
});

test('no one has access while the server is sealed, and everyone regains access afterwards', async () => {
  await using server = await startServer();
  const admin = await as(server, 'administrator');
  const operator = await as(server, 'operator');
  expect((await operator.write('sys/seal')).status).toBe(403);
  expect((await admin.write('sys/seal')).status).toBe(204);
  for (const path of ['auth/token/lookup-self', 'sys/policies/acl/default', 'sys/internal/ui/mounts']) {
    const answer = await admin.read(path);
    expect([answer.status, errorsOf(answer)]).toEqual([503, ['Vault is sealed']]);
  }
  expect((await signIn(server, 'admin')).status).toBe(503);
  await unseal(server);
  expect((await admin.read('sys/policies/acl/default')).status).toBe(200);
  expect((await operator.read('auth/token/lookup-self')).status).toBe(200);
});

async function unseal({ anonymous, dataDir }: TestServer): Promise<void> {
  const ring = JSON.parse(readFileSync(join(dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    active: string;
    keys: Record<string, string>;
  };
  const key = ring.keys[ring.active];
  expect((await anonymous.write('sys/unseal', { key })).body['sealed']).toBe(false);
}

test('tokens of a user who was disabled while the server was sealed are removed after it is unsealed', async () => {
  await using server = await startServer();
  const admin = await as(server, 'administrator');
  const accessors = async () => ((await admin.list('auth/token/accessors')).data['keys'] as string[]).length;
  const before = await accessors();
  await as(server, 'operator');
  expect(await accessors()).toBe(before + 1);
  await admin.write('sys/seal');
  const { id, version } =
    server.accounts.list().find(({ roles }) => roles.secrets === 'operator') ?? expect.fail();
  await server.accounts.update(id, version, { disabled: true });
  await unseal(server);
  await expect.poll(accessors).toBe(before);
});

test('tokens of users whose accounts are missing for a while stay, those of deleted users are removed', async () => {
  await using server = await startServer();
  const operator = await as(server, 'operator');
  const reader = await as(server, 'read-only');
  const admin = await as(server, 'administrator');
  await admin.write('sys/seal');
  const restore = withdrawAccounts(join(server.dataDir, 'accounts.db'), ['operator']);
  await server.accounts.remove(server.accounts.getByLoginName('read-only')?.id ?? '');
  using db = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
  const tokens = () => db.prepare('SELECT rowid FROM token').all().length;
  const before = tokens();
  await unseal(server);
  await expect.poll(tokens).toBe(before - 1);
  for (const client of [operator, reader])
    expect((await client.read('auth/token/lookup-self')).status).toBe(403);
  restore();
  expect((await operator.read('auth/token/lookup-self')).status).toBe(200);
});

test('expired tokens are removed', async () => {
  await using server = await startServer();
  const admin = await as(server, 'administrator');
  const accessors = async () => ((await admin.list('auth/token/accessors')).data['keys'] as string[]).length;
  const before = await accessors();
  for (let count = 0; count < 5; count++) await tokenWith(admin, { ttl: 60 });
  expect(await accessors()).toBe(before + 5);
  server.clock.advance(60_000);
  expect(await accessors()).toBe(before);
});

test.each([
  ['an unreadable token', (row: number) => `UPDATE token SET sealed = zeroblob(64) WHERE rowid = ${row}`, 1],
  [
    'a token that cannot be removed',
    (row: number) =>
      `CREATE TRIGGER full BEFORE UPDATE ON token WHEN old.rowid = ${row} BEGIN SELECT RAISE(ABORT, 'full'); END`,
    2,
  ],
])('%s does not keep other records beyond their end', async (_what, fault, tokensLeft) => {
  await using server = await startServer();
  const operator = await as(server, 'operator');
  await as(server, 'operator');
  await operator.send('POST', 'sys/wrapping/wrap', { a: 1 }, { 'x-vault-wrap-ttl': '60' });
  const { id, version } =
    server.accounts.list().find(({ roles }) => roles.secrets === 'operator') ?? expect.fail();
  using db = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
  const number = (query: string) => Number(Object.values(db.prepare(query).get() ?? {})[0]);
  const ofOperator = `FROM token WHERE account_id = '${id}'`;
  db.exec(fault(number(`SELECT min(rowid) ${ofOperator}`)));
  await server.accounts.update(id, version, { disabled: true });
  server.clock.advance(60_000);
  const left = () => [number(`SELECT count(*) ${ofOperator}`), number('SELECT count(*) FROM wrapping')];
  await expect.poll(left, { timeout: 10_000 }).toEqual([tokensLeft, 0]);
});

test('a token that is revoked and used in parallel ends with all its children', async () => {
  await using server = await startServer();
  const admin = await as(server, 'administrator');
  const parent = await tokenWith(admin, {});
  const parentAccessor = (await server.with(parent).read('auth/token/lookup-self')).data['accessor'];
  const accessors = async () => (await admin.list('auth/token/accessors')).data['keys'];
  const others = ((await accessors()) as string[]).filter((accessor) => accessor !== parentAccessor);
  // Connections are opened first so that the requests arrive at once.
  await Promise.all(Array.from({ length: 30 }, () => admin.read('auth/token/lookup-self')));
  const requests = Array.from({ length: 10 }, () => [
    server.with(parent).write('auth/token/create'),
    admin.write('auth/token/revoke', { token: parent }),
    server.with(parent).write('auth/token/create'),
  ]);
  const answers = await Promise.all(requests.flat());
  const made = answers.filter((_, index) => index % 3 !== 1);
  expect(await accessors()).toEqual(others);
  for (const answer of made) {
    if (answer.status !== 200) {
      expect(answer.status).toBe(403);
      continue;
    }
    const child = server.with(String(authOf(answer)['client_token']));
    expect((await child.read('auth/token/lookup-self')).status).toBe(403);
  }
});

describe('any body', () => {
  const numRuns = process.env['GATEHOUSE_DEEP'] === '1' ? 5000 : 150;
  let server: TestServer;
  let admin: Client;
  beforeAll(async () => {
    server = await startServer();
    admin = await as(server, 'administrator');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      2 ** 53,
      1e308,
      '',
      ' ',
      '\u0000',
      '\ud800',
      '__proto__',
      [],
      {},
      [[]],
      '9'.repeat(40),
    ),
  );
  const members = fc.constantFrom(
    'id',
    'policies',
    'meta',
    'ttl',
    'period',
    'explicit_max_ttl',
    'num_uses',
    'display_name',
    'increment',
    'token',
    'accessor',
    'paths',
    'path',
    'policy',
    'rules',
    'password',
    'lease_id',
    'custom_metadata',
    'sync',
    '__proto__',
    'constructor',
  );
  const body = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.dictionary(members, anything, { maxKeys: 5 }).map((value) => JSON.stringify(value)),
    },
    anything.map((value) => JSON.stringify(value)),
    fc.string(),
  );
  const path = fc.constantFrom(
    'auth/token/create',
    'auth/token/create-orphan',
    'auth/token/lookup',
    'auth/token/lookup-accessor',
    'auth/token/renew',
    'auth/token/renew-self',
    'auth/token/renew-accessor',
    'auth/token/revoke',
    'auth/token/revoke-accessor',
    'auth/token/revoke-orphan',
    'auth/userpass/login/admin',
    'auth/userpass/login/%00',
    'sys/policies/acl/fuzzed',
    'sys/policy/fuzzed',
    'sys/capabilities',
    'sys/capabilities-self',
    'sys/capabilities-accessor',
    'sys/leases/lookup',
    'sys/leases/renew',
    'sys/leases/revoke',
    'sys/leases/revoke-prefix/x',
    'sys/wrapping/wrap',
    'sys/wrapping/unwrap',
    'sys/wrapping/lookup',
    'sys/wrapping/rewrap',
    'sys/namespaces/fuzzed',
  );

  test('is accepted or refused with errors, and never causes an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('POST', 'PUT', 'PATCH'), body, async (path, method, text) => {
        const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        const answer = await admin.send(method, path, text, { 'content-type': contentType });
        expect([200, 204, 400, 403, 404, 405]).toContain(answer.status);
        if (answer.status < 400) return;
        const { errors, ...rest } = answer.body;
        expect([Array.isArray(errors), rest]).toEqual([true, {}]);
      }),
      { numRuns },
    );
    expect((await admin.read('auth/token/lookup-self')).status).toBe(200);
  });
});
