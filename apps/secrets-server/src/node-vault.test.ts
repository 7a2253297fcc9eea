import vault from 'node-vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, testPassword } from './testing/server.ts';
import type { TestServer } from './testing/server.ts';

/** node-vault is a published third-party client: its requests and expectations are independent of this project. */
let server: TestServer;
let client: vault.client;
beforeAll(async () => {
  server = await startServer();
  client = vault({ apiVersion: 'v1', endpoint: server.url });
  await client.userpassLogin({ username: 'admin', password: testPassword });
});
afterAll(() => server[Symbol.asyncDispose]());

test('signs in and reads the state of the server and its token', async () => {
  expect(client.token).toMatch(/^hvs\./);
  expect(await client.initialized()).toEqual({ initialized: true });
  expect(await client.status()).toMatchObject({ sealed: false });
  expect(await client.health()).toMatchObject({ initialized: true, sealed: false });
  expect(await client.tokenLookupSelf()).toMatchObject({ data: { path: 'auth/userpass/login/admin' } });
  expect(await client.mounts()).toMatchObject({ 'secret/': { type: 'kv', options: { version: '2' } } });
});

test('writes, reads, lists, deletes, undeletes and destroys secrets', async () => {
  expect(
    await client.write('secret/data/app/db', { data: { password: 's3cret', port: 5432 } }),
  ).toMatchObject({
    data: { version: 1 },
  });
  await client.write('secret/data/app/db', { data: { password: 'other' }, options: { cas: 1 } });
  expect(await client.read('secret/data/app/db')).toMatchObject({
    data: { data: { password: 'other' }, metadata: { version: 2 } },
  });
  expect(await client.read('secret/data/app/db?version=1')).toMatchObject({ data: { data: { port: 5432 } } });
  expect(await client.list('secret/metadata/app')).toMatchObject({ data: { keys: ['db'] } });
  expect(await client.list('secret/metadata')).toMatchObject({ data: { keys: ['app/'] } });
  expect(await client.update('secret/data/app/db', { data: { password: null, user: 'u' } })).toMatchObject({
    data: { version: 3 },
  });
  expect(await client.read('secret/data/app/db')).toMatchObject({ data: { data: { user: 'u' } } });
  await client.delete('secret/data/app/db');
  await expect(client.read('secret/data/app/db')).rejects.toMatchObject({ response: { statusCode: 404 } });
  await client.write('secret/undelete/app/db', { versions: [3] });
  expect(await client.read('secret/data/app/db')).toMatchObject({ data: { data: { user: 'u' } } });
  await client.write('secret/destroy/app/db', { versions: [1, 2] });
  expect(await client.read('secret/metadata/app/db')).toMatchObject({
    data: {
      current_version: 3,
      versions: { 1: { destroyed: true }, 2: { destroyed: true }, 3: { destroyed: false } },
    },
  });
  await client.delete('secret/metadata/app/db');
  await expect(client.list('secret/metadata/app')).rejects.toMatchObject({ response: { statusCode: 404 } });
});

test('mounts, configures and unmounts an engine', async () => {
  await client.mount({ mount_point: 'team', type: 'kv', options: { version: '2' } });
  await client.write('team/config', { max_versions: 3 });
  expect(await client.read('team/config')).toMatchObject({ data: { max_versions: 3 } });
  await client.unmount({ mount_point: 'team' });
  await expect(client.read('team/config')).rejects.toMatchObject({ response: { statusCode: 404 } });
});

test('reports errors with their messages', async () => {
  await client.write('secret/data/cas', { data: {} });
  await expect(client.write('secret/data/cas', { data: {}, options: { cas: 0 } })).rejects.toThrow(
    'check-and-set parameter did not match the current version',
  );
  const stranger = vault({ apiVersion: 'v1', endpoint: server.url, token: 'hvs.unknown' });
  await expect(stranger.read('secret/data/cas')).rejects.toThrow('permission denied');
});
