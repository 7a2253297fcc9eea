import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vault from 'node-vault';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

/** node-vault is a published third-party client that validates answers with its own schemas. */
let server: TestServer;
let client: vault.client;
let adminToken: string;
beforeAll(async () => {
  server = await startServer();
  const login = vault({ apiVersion: 'v1', endpoint: server.url });
  await login.userpassLogin({ username: 'admin', password: testPassword });
  adminToken = login.token;
});
// The client adopts the token of every answer that contains one.
beforeEach(() => {
  client = withToken(adminToken);
});
afterAll(() => server[Symbol.asyncDispose]());

const withToken = (token: string): vault.client => vault({ apiVersion: 'v1', endpoint: server.url, token });

test('creates, looks up, renews and revokes tokens', async () => {
  const created = await client.tokenCreate({ policies: ['default'], ttl: '1h', meta: { job: '7' } });
  expect(created).toMatchObject({ auth: { policies: ['default'], lease_duration: 3600, renewable: true } });
  const { client_token: token, accessor } = created.auth as { client_token: string; accessor: string };
  client.token = adminToken;
  expect(await client.tokenLookup({ token })).toMatchObject({ data: { accessor, ttl: 3600 } });
  expect(await client.tokenLookupAccessor({ accessor })).toMatchObject({ data: { meta: { job: '7' } } });
  expect(await withToken(token).tokenLookupSelf()).toMatchObject({ data: { id: token } });
  expect(await client.tokenRenew({ token, increment: 60 })).toMatchObject({ auth: { lease_duration: 60 } });
  expect(await withToken(token).tokenRenewSelf()).toMatchObject({ auth: { lease_duration: 3600 } });
  client.token = adminToken;
  expect((await client.tokenAccessors()) as unknown).toMatchObject({
    data: { keys: expect.arrayContaining([accessor]) as string[] },
  });
  await client.tokenRevokeAccessor({ accessor });
  await expect(client.tokenLookup({ token })).rejects.toThrow('bad token');

  const orphan = await client.tokenCreateOrphan({ policies: ['default'] });
  const own = withToken(orphan.auth.client_token);
  expect(await own.tokenLookupSelf()).toMatchObject({ data: { orphan: true } });
  await own.tokenRevokeSelf();
  await expect(own.tokenLookupSelf()).rejects.toThrow('permission denied');
});

test('writes, reads and deletes policies with immediate effect', async () => {
  await client.addPolicy({ name: 'reader', rules: 'path "secret/data/*" { capabilities = ["read"] }' });
  expect(await client.policies()).toMatchObject({
    policies: expect.arrayContaining(['reader', 'root']) as string[],
  });
  expect(await client.getPolicy({ name: 'reader' })).toMatchObject({ name: 'reader' });
  await client.write('secret/data/a', { data: { n: 1 } });
  const { auth } = await client.tokenCreate({ policies: ['reader'] });
  const reader = withToken(auth.client_token);
  expect(await reader.read('secret/data/a')).toMatchObject({ data: { data: { n: 1 } } });
  await expect(reader.write('secret/data/a', { data: {} })).rejects.toThrow('permission denied');
  client.token = adminToken;
  await client.removePolicy({ name: 'reader' });
  await expect(reader.read('secret/data/a')).rejects.toThrow('permission denied');
  expect(await client.auths()).toMatchObject({
    'token/': { type: 'token' },
    'userpass/': { type: 'userpass' },
  });
});

test('wraps the answer of a read, and unwraps it once', async () => {
  const wrapped = await client.read('secret/data/a', { headers: { 'X-Vault-Wrap-TTL': '60s' } });
  const { token } = wrapped.wrap_info as { token: string };
  expect(await withToken(token).unwrap()).toMatchObject({ data: { data: { n: 1 } } });
  await expect(withToken(token).unwrap()).rejects.toThrow('wrapping token is not valid or does not exist');
});

test('generates a root token with the root key', async () => {
  const ring = JSON.parse(readFileSync(join(server.dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    active: string;
    keys: Record<string, string>;
  };
  const otp = 'x'.repeat(28);
  const { nonce } = await client.generateRootInit({ otp });
  expect(await client.read('sys/generate-root/attempt')).toMatchObject({ started: true, nonce });
  const done = await client.generateRootUpdate({ key: ring.keys[ring.active], nonce });
  const token = Buffer.from(done.encoded_root_token as string, 'base64').map((byte) => byte ^ 0x78);
  expect(await withToken(Buffer.from(token).toString()).tokenLookupSelf()).toMatchObject({
    data: { policies: ['root'] },
  });
});
