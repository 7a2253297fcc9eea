import { listen } from '@gatehouse/service-kit/service';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createService } from '../app.ts';
import { clientOf } from '../testing/client.ts';
import type { Client, WireAnswer } from '../testing/client.ts';
import { as } from '../testing/people.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await startServer();
  client = await as(server, 'administrator');
});
afterEach(() => server[Symbol.asyncDispose]());

const errorsOf = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];

test('secret/ is mounted initially, and mounts are returned both in and beside the data', async () => {
  const answer = await client.read('sys/mounts');
  const secret = {
    type: 'kv',
    options: { version: '2' },
    accessor: expect.stringMatching(/^kv_[0-9a-z]{8}$/) as string,
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    description: 'key/value secret storage',
    config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false },
    local: false,
    seal_wrap: false,
  };
  expect(answer.body).toMatchObject({ 'secret/': secret, data: { 'secret/': secret }, mount_type: 'system' });
  expect(Object.keys(answer.data)).toEqual(['secret/', 'sys/']);
  expect((await client.read('sys/mounts/secret')).data).toMatchObject(secret);
  expect((await client.read('sys/internal/ui/mounts')).data).toMatchObject({ secret: { 'secret/': secret } });
  expect((await client.read('sys/internal/ui/mounts/secret/some/key')).data).toMatchObject({
    ...secret,
    path: 'secret/',
  });
});

test('two users who tune a mount at the same time both change it', async () => {
  const held = holdNextWrite();
  const first = client.write('sys/mounts/secret/tune', { max_lease_ttl: '2h' });
  await held;
  await client.write('sys/mounts/secret/tune', { force_no_cache: true });
  await first;
  const both = { max_lease_ttl: 7200, force_no_cache: true };
  expect((await client.read('sys/mounts/secret/tune')).data).toMatchObject(both);
});

test('a mount is created, used, tuned and deleted with everything in it', async () => {
  const body = {
    type: 'kv',
    description: 'of a team',
    options: { version: '2' },
    config: { max_lease_ttl: '1h' },
  };
  expect((await client.write('sys/mounts/team/a', body)).status).toBe(204);
  await client.write('team/a/data/k', { data: { n: 1 } });
  expect((await client.read('sys/mounts/team/a/tune')).data).toEqual({
    default_lease_ttl: 2_764_800,
    max_lease_ttl: 3600,
    force_no_cache: false,
    description: 'of a team',
    options: { version: '2' },
  });
  // The empty text is what Go's client sends for a setting that stays.
  const tune = {
    description: 'of two',
    default_lease_ttl: '60',
    max_lease_ttl: '',
    listing_visibility: 'unauth',
  };
  expect((await client.write('sys/mounts/team/a/tune', tune)).status).toBe(204);
  expect((await client.read('sys/mounts/team/a')).data).toMatchObject({
    description: 'of two',
    config: { default_lease_ttl: 60, max_lease_ttl: 3600, listing_visibility: 'unauth' },
  });
  expect((await client.delete('sys/mounts/team/a')).status).toBe(204);
  expect((await client.delete('sys/mounts/team/a')).status).toBe(204);
  expect(errorsOf(await client.read('team/a/data/k'))).toEqual([
    404,
    ['no handler for route "team/a/data/k". route entry not found.'],
  ]);
  await client.write('sys/mounts/team/a', { type: 'kv' });
  expect((await client.read('team/a/data/k')).status).toBe(404);
  expect((await client.list('team/a/metadata')).status).toBe(404);
});

test.each(['team/data', 'team/metadata/x', 'a/b/creds', 'a/b/configs'])(
  "an engine can't be mounted at %s, where the built-in policies would confuse its paths with others",
  async (path) => {
    const refused = await client.write(`sys/mounts/${path}`, { type: 'cloud' });
    expect(errorsOf(refused)).toEqual([400, [expect.stringContaining('built-in policies')]]);
  },
);

test("the mount with the longest path handles a request, and mount paths can't overlap", async () => {
  expect((await client.write('sys/mounts/a/b', { type: 'kv' })).status).toBe(204);
  expect((await client.write('sys/mounts/ab', { type: 'kv' })).status).toBe(204);
  for (const path of [
    'a',
    'a/b',
    'a/b/c',
    'secret',
    'secret/x',
    'sys/x',
    'auth/kv',
    'cubbyhole',
    'identity',
  ]) {
    expect([path, (await client.write(`sys/mounts/${path}`, { type: 'kv' })).status]).toEqual([path, 400]);
  }
  await client.write('a/b/data/k', { data: { at: 'a/b' } });
  expect((await client.read('ab/data/k')).status).toBe(404);
  expect((await client.read('a/b/data/k')).status).toBe(200);
});

test('the options of a mount are limited, however they were added', async () => {
  const options = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`o${from + n}`, 'x']));
  const many = [400, [expect.stringContaining('more than 64 members')]];
  expect(errorsOf(await client.write('sys/mounts/noted', { type: 'kv', options: options(0, 65) }))).toEqual(
    many,
  );
  expect((await client.write('sys/mounts/noted', { type: 'kv', options: options(0, 40) })).status).toBe(204);
  const tune = async (count: number) =>
    errorsOf(await client.write('sys/mounts/noted/tune', { options: options(40, count) }));
  expect(await tune(24)).toEqual(many);
  expect((await tune(23))[0]).toBe(204);
  await client.delete('sys/mounts/noted');
});

test.each([
  ['sys/mounts/x', {}],
  ['sys/mounts/x', { type: 'unheard-of' }],
  ['sys/mounts/x', { type: 'kv', options: { version: '1' } }],
  ['sys/mounts/x', { type: 'kv', options: 'x' }],
  ['sys/mounts/x', { type: 'kv', config: { max_lease_ttl: 'long' } }],
  ['sys/mounts/x', { type: 'kv', config: { max_lease_ttl: 1, default_lease_ttl: 2 } }],
  ['sys/mounts/x', { type: 'kv', config: { listing_visibility: 'sometimes' } }],
  ['sys/mounts/secret/tune', { options: { version: '1' } }],
  ['sys/mounts/secret/tune', { default_lease_ttl: -1 }],
  ['sys/mounts/sys/tune', { description: 'x' }],
  ['sys/mounts/missing/tune', {}],
])('refuses %s %j', async (path, body) => {
  expect((await client.write(path, body)).status).toBe(400);
  expect(Object.keys((await client.read('sys/mounts')).data)).toEqual(['secret/', 'sys/']);
});

test("the system backend can't be unmounted, and a missing mount is reported", async () => {
  expect((await client.delete('sys/mounts/sys')).status).toBe(400);
  expect(errorsOf(await client.read('sys/mounts/missing'))).toEqual([
    400,
    ['No secret engine mount at missing/'],
  ]);
  expect((await client.read('sys/internal/ui/mounts/missing/a')).status).toBe(403);
  expect((await server.anonymous.read('sys/internal/ui/mounts/secret')).status).toBe(403);
  expect((await (await as(server, 'operator')).write('sys/mounts/x', { type: 'kv' })).status).toBe(403);
});

test('mounts survive a restart', async () => {
  await client.write('sys/mounts/kept', { type: 'kv', description: 'kept' });
  await client.write('kept/data/k', { data: { n: 1 } });
  const before = (await client.read('sys/mounts/kept')).data;
  await server.service.close();
  const { accounts, dataDir, clock } = server;
  const again = await createService({ accounts, dataDir, clock });
  const listening = await listen(again, { host: '127.0.0.1', port: 0 });
  const later = clientOf(listening.address, client.token);
  expect((await later.read('sys/mounts/kept')).data).toEqual(before);
  expect((await later.read('kept/data/k')).data).toMatchObject({ data: { n: 1 } });
  await listening.drain(0);
  await again.close();
});

test('only one of 10 simultaneous requests mounts at a path', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => client.write('sys/mounts/race', { type: 'kv' })),
  );
  expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 400)).toHaveLength(9);
});
