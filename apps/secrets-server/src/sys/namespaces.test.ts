import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../app.ts';
import { clientOf } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';
import { readOnly, rootFields, shortTimes, startCloudServer, usersOf } from '../testing/cloud.ts';
import { as, authOf, errorsOf, tokenWith } from '../testing/people.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startServer();
  admin = await as(server, 'administrator');
});
afterAll(() => server[Symbol.asyncDispose]());

/** A client that sends requests in a namespace, by header. */
const within = (client: Client, namespace: string): Client => {
  const send: Client['send'] = (method, path, body, headers) =>
    client.send(method, path, body, { ...headers, 'x-vault-namespace': namespace });
  return {
    ...client,
    send,
    read: (path) => send('GET', path),
    list: (path) => send('GET', `${path}?list=true`),
    write: (path, body) => send('POST', path, body ?? {}),
    delete: (path) => send('DELETE', path),
  };
};

describe('namespaces', () => {
  test('keep the metadata of two users who patch it at the same time', async () => {
    await admin.write('sys/namespaces/two', {});
    const held = holdNextWrite();
    const first = admin.patch('sys/namespaces/two', { custom_metadata: { first: '1' } });
    await held;
    await admin.patch('sys/namespaces/two', { custom_metadata: { second: '2' } });
    await first;
    const both = { first: '1', second: '2' };
    expect((await admin.read('sys/namespaces/two')).data['custom_metadata']).toEqual(both);
    await admin.delete('sys/namespaces/two');
  });

  test('are created, listed, read, updated and deleted', async () => {
    expect((await admin.list('sys/namespaces')).status).toBe(404);
    const made = await admin.write('sys/namespaces/blue', { custom_metadata: { owner: 'a', more: 'b' } });
    expect(made.status).toBe(200);
    expect(made.data).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{5}$/),
      path: 'blue/',
      uuid: expect.any(String),
      custom_metadata: { owner: 'a', more: 'b' },
    });
    expect((await admin.read('sys/namespaces/blue')).data).toEqual(made.data);
    const patched = await admin.patch('sys/namespaces/blue', { custom_metadata: { more: null, c: 'd' } });
    expect(patched.data['custom_metadata']).toEqual({ owner: 'a', c: 'd' });
    const child = await within(admin, 'blue').write('sys/namespaces/sky');
    expect(child.data['path']).toBe('blue/sky/');
    const listed = await admin.list('sys/namespaces');
    expect(listed.data).toMatchObject({ keys: ['blue/'], key_info: { 'blue/': { path: 'blue/' } } });
    expect((await within(admin, 'blue').list('sys/namespaces')).data['keys']).toEqual(['sky/']);
    expect(errorsOf(await admin.delete('sys/namespaces/blue'))).toEqual([
      'cannot delete namespace (blue/): it contains other namespaces',
    ]);
    // Clients decode the body, and see by the status that the namespace existed.
    const deleted = { status: 200, data: { status: 'in-progress' } };
    expect(await admin.delete('blue/sys/namespaces/sky')).toMatchObject(deleted);
    expect(await admin.delete('sys/namespaces/blue')).toMatchObject(deleted);
    expect(await admin.delete('sys/namespaces/blue')).toMatchObject({
      status: 200,
      body: { data: null, warnings: ['requested namespace does not exist'] },
    });
    expect((await admin.read('sys/namespaces/blue')).status).toBe(404);
    expect((await admin.read('sys/auth')).status).toBe(200);
    expect((await within(admin, 'blue').read('sys/auth')).status).toBe(404);
  });

  test('have at most 64 entries of custom metadata, however they were added', async () => {
    const notes = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'v']));
    const path = 'sys/namespaces/noted';
    await admin.write(path, { custom_metadata: notes(0, 60) });
    expect((await admin.patch(path, { custom_metadata: notes(60, 4) })).status).toBe(200);
    const refused = [
      await admin.patch(path, { custom_metadata: notes(64, 1) }),
      await admin.write(path, { custom_metadata: notes(0, 65) }),
      await admin.patch(path, { custom_metadata: { k0: 'v'.repeat(513) } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await admin.read(path)).data['custom_metadata']).toEqual(notes(0, 64));
    const other = { k0: null, k64: 'v' };
    expect((await admin.patch(path, { custom_metadata: other })).status).toBe(200);
    await admin.delete(path);
  });

  test.each([
    ['sys', '"sys" is a reserved path and cannot be used as a namespace'],
    ['root', '"root" is a reserved path and cannot be used as a namespace'],
    ['a/b', 'a namespace is created in its parent: enter one name at a time'],
    ['a%20b', 'namespace name contains spaces or any of + * % ? #'],
    ['a*', 'namespace name contains spaces or any of + * % ? #'],
    ['x'.repeat(129), 'namespace name longer than 128 characters'],
    ['secret', 'namespace path conflicts with an existing mount'],
  ])('%.20s is refused', async (name, message) => {
    const answer = await admin.write(`sys/namespaces/${name}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test('have paths of at most 1,024 characters', async () => {
    const name = 'x'.repeat(127);
    const parents = Array.from({ length: 8 }, (_, depth) => Array(depth).fill(name).join('/'));
    for (const parent of parents)
      expect((await within(admin, parent).write(`sys/namespaces/${name}`)).status).toBe(200);
    const ninth = await within(admin, `${parents[7]}/${name}`).write('sys/namespaces/x');
    expect([ninth.status, errorsOf(ninth)]).toEqual([400, ['namespace path longer than 1024 characters']]);
    for (const parent of parents.toReversed()) await within(admin, parent).delete(`sys/namespaces/${name}`);
  });

  test("can't be created, and have no mounts, where the built-in policies of those around would permit too much", async () => {
    await admin.write('sys/namespaces/team');
    await within(admin, 'team').write('sys/namespaces/sky');
    for (const [path, name] of [
      ['team', 'data'],
      ['team/sky', 'metadata'],
      ['team/sky', 'configs'],
    ] as const) {
      const message = `contains the folder "${name}", which the built-in policies treat as part of an engine`;
      for (const kind of ['namespaces', 'mounts'])
        expect(errorsOf(await within(admin, path).write(`sys/${kind}/${name}`, { type: 'kv' }))).toEqual([
          expect.stringContaining(message),
        ]);
    }
  });

  test('prevent mounts at their paths', async () => {
    await admin.write('sys/namespaces/occupied');
    for (const path of ['occupied', 'occupied/kv']) {
      const answer = await admin.write(`sys/mounts/${path}`, { type: 'kv' });
      expect([answer.status, errorsOf(answer)]).toEqual([
        400,
        ['path is already in use by the namespace occupied/'],
      ]);
    }
  });

  test('created twice at once are one, and never take the place of a mount made in the same moment', async () => {
    const create = (path: string) => admin.write(`sys/namespaces/${path}`);
    const twice = await Promise.all([create('twice'), create('twice')]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect(twice[0].data).toEqual(twice[1].data);
    expect((await admin.read('sys/namespaces/twice')).data).toEqual(twice[0].data);
    for (let round = 0; round < 20; round++) {
      const path = `both${round}`;
      const mount = () => admin.write(`sys/mounts/${path}/kv`, { type: 'kv' });
      const both = await Promise.all(round % 2 === 0 ? [create(path), mount()] : [mount(), create(path)]);
      expect(both.map(({ status }) => status).filter((status) => status === 400)).toHaveLength(1);
    }
  });

  test('require a policy that permits them', async () => {
    const operator = await as(server, 'operator');
    expect((await operator.write('sys/namespaces/x')).status).toBe(403);
    expect((await operator.list('sys/namespaces')).status).toBe(403);
  });
});

describe('in a namespace', () => {
  let inside: Client;
  beforeAll(async () => {
    await admin.write('sys/namespaces/team');
    inside = within(admin, 'team');
    await inside.write('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await inside.write('secret/data/a', { data: { where: 'team' } });
    await admin.write('secret/data/a', { data: { where: 'root' } });
    await inside.write('sys/policies/acl/own', {
      policy: 'path "secret/*" { policy = "write" } path "auth/token/create" { policy = "write" }',
    });
  });

  test('mounts and policies are separate from those of other namespaces', async () => {
    expect((await inside.read('secret/data/a')).data['data']).toEqual({ where: 'team' });
    expect((await admin.read('team/secret/data/a')).data['data']).toEqual({ where: 'team' });
    expect((await admin.read('secret/data/a')).data['data']).toEqual({ where: 'root' });
    expect((await inside.list('sys/policies/acl')).data['keys']).toEqual(['default', 'own']);
    expect((await admin.list('sys/policies/acl')).data['keys']).not.toContain('own');
    expect((await inside.read('sys/policies/acl/root')).status).toBe(404);
  });

  test('tokens are valid there and in namespaces below, but not above', async () => {
    const made = await inside.write('auth/token/create', { policies: ['own'] });
    const token = String(authOf(made)['client_token']);
    const client = server.with(token);
    expect((await within(client, 'team').read('secret/data/a')).status).toBe(200);
    expect((await client.read('team/secret/data/a')).status).toBe(200);
    expect((await client.read('secret/data/a')).status).toBe(403);
    expect((await client.read('auth/token/lookup-self')).status).toBe(403);
    expect((await client.read('sys/internal/ui/mounts')).status).toBe(403);
    const own = await within(client, 'team').read('auth/token/lookup-self');
    expect(own.data['namespace_path']).toBe('team/');
    // A policy with the same name in another namespace does not apply to the token.
    await admin.write('sys/namespaces/rival');
    expect((await client.read('rival/auth/token/lookup-self')).status).toBe(403);
    expect((await admin.write('rival/auth/token/lookup', { token })).status).toBe(403);
    const child = await within(client, 'team').write('auth/token/create');
    expect(authOf(child)['policies']).toEqual(['default', 'own']);
  });

  test('tokens of the root namespace have access by its path', async () => {
    await admin.write('sys/policies/acl/visitor', { policy: 'path "team/secret/*" { policy = "read" }' });
    await admin.write('sys/policies/acl/local', { policy: 'path "secret/*" { policy = "read" }' });
    const visitor = server.with(await tokenWith(admin, { policies: ['visitor'] }));
    const local = server.with(await tokenWith(admin, { policies: ['local'] }));
    expect((await within(visitor, 'team').read('secret/data/a')).status).toBe(200);
    expect((await visitor.read('secret/data/a')).status).toBe(403);
    expect((await within(local, 'team').read('secret/data/a')).status).toBe(403);
    const capabilities = await within(visitor, 'team').write('sys/capabilities-self', {
      paths: ['secret/data/a'],
    });
    expect(capabilities.status).toBe(403);
    const asked = await inside.write('sys/capabilities', { token: visitor.token, paths: ['secret/data/a'] });
    expect(asked.data['secret/data/a']).toEqual(['list', 'read']);
  });

  test('a policy is independent of one with the same name in another namespace', async () => {
    await admin.write('sys/policies/acl/own', { policy: 'path "sys/auth" { policy = "read" }' });
    const above = server.with(await tokenWith(admin, { policies: ['own'] }));
    const here = within(server.with(await tokenWith(inside, { policies: ['own'] })), 'team');
    const ask = { paths: ['sys/auth', 'secret/data/a'] };
    expect((await above.write('sys/capabilities-self', ask)).data).toEqual({
      'sys/auth': ['list', 'read'],
      'secret/data/a': ['deny'],
    });
    expect((await here.write('sys/capabilities-self', ask)).data).toEqual({
      'sys/auth': ['deny'],
      'secret/data/a': ['create', 'delete', 'list', 'read', 'update'],
    });
  });

  test('an answer can be unwrapped only in the namespace where it was wrapped', async () => {
    const answer = await inside.send('GET', 'secret/data/a', undefined, { 'x-vault-wrap-ttl': '60' });
    const { token } = answer.body['wrap_info'] as { token: string };
    expect((await server.with(token).write('sys/wrapping/unwrap')).status).toBe(400);
    expect((await admin.write('sys/wrapping/unwrap', { token })).status).toBe(400);
    expect((await within(server.with(token), 'team').write('sys/wrapping/unwrap')).status).toBe(200);
  });

  test('a token of the parent namespace creates tokens only with sudo, and never root tokens', async () => {
    await admin.write('sys/policies/acl/maker', {
      policy: 'path "team/auth/token/create" { capabilities = ["update"] }',
    });
    const maker = within(server.with(await tokenWith(admin, { policies: ['maker'] })), 'team');
    expect(errorsOf(await maker.write('auth/token/create', { policies: ['own'] }))).toEqual([
      'root or sudo privileges required to directly generate a token in a child namespace',
    ]);
    expect(errorsOf(await inside.write('auth/token/create', { policies: ['root'] }))).toEqual([
      'root tokens may not be created from a parent namespace',
    ]);
    expect(errorsOf(await inside.write('auth/token/create', { id: 'mine', policies: ['own'] }))).toEqual([
      'token IDs can only be manually specified in the root namespace',
    ]);
  });

  test('paths of the whole server are refused', async () => {
    for (const path of ['sys/seal', 'sys/rotate']) {
      const answer = await inside.write(path);
      expect([answer.status, errorsOf(answer)]).toEqual([400, ['operation unavailable in namespaces']]);
    }
  });

  test('a request to an unknown namespace is not found', async () => {
    expect((await within(admin, 'unknown').read('secret/data/a')).status).toBe(404);
  });

  test('everything is deleted with the namespace', async () => {
    await admin.write('sys/namespaces/gone');
    const gone = within(admin, 'gone');
    await gone.write('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await gone.write('secret/data/a', { data: { a: 1 } });
    await gone.write('sys/policies/acl/p', { policy: 'path "*" { policy = "sudo" }' });
    const token = await tokenWith(gone, { policies: ['p'] });
    expect((await within(server.with(token), 'gone').read('secret/data/a')).status).toBe(200);
    expect((await admin.delete('sys/namespaces/gone')).status).toBe(200);
    await admin.write('sys/namespaces/gone');
    expect((await within(server.with(token), 'gone').read('auth/token/lookup-self')).status).toBe(403);
    expect((await gone.read('secret/data/a')).status).toBe(404);
    expect((await gone.list('sys/policies/acl')).data['keys']).toEqual(['default']);
  });
});

describe('while a namespace is being deleted', () => {
  /** Starts a server whose namespace `team` has a token, a secret and a user at the provider. */
  async function startWithTeam() {
    const own = await startCloudServer();
    const team = within(own.admin, 'team');
    await own.admin.write('sys/namespaces/team');
    await team.write('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await team.write('secret/data/a', { data: { a: 1 } });
    await team.write('sys/policies/acl/p', { policy: 'path "*" { policy = "sudo" }' });
    await team.write('sys/mounts/cloud', { type: 'cloud' });
    await team.write('cloud/config/root', { ...rootFields(own.cloud.url), max_retries: 0 });
    await team.write('cloud/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
    await team.read('cloud/creds/u');
    const member = within(own.with(await tokenWith(team, { policies: ['p'] })), 'team');
    return { own, team, member };
  }

  test.each([
    ['stays after a kill before the first write', false],
    ['is deleted by the next process after a kill', true],
  ])('no request has access, and it %s', async (_what, isMarked) => {
    const { own, team, member } = await startWithTeam();
    await using _ = own;
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<undefined>();
    own.cloud.inject = () => {
      asked.resolve();
      return release.promise;
    };
    const deleted = own.admin.delete('sys/namespaces/team');
    await asked.promise;
    expect((await team.read('secret/data/a')).status).toBe(404);
    expect((await member.read('secret/data/a')).status).toBe(404);
    expect((await own.admin.list('sys/namespaces')).status).toBe(404);
    expect((await own.admin.read('sys/namespaces/team')).status).toBe(404);
    expect(errorsOf(await own.admin.write('sys/namespaces/team'))).toEqual([
      'namespace team/ is being deleted. Try again when it is gone.',
    ]);
    // Copies the files as a kill would leave them now.
    using folder = temporaryFolder();
    cpSync(own.dataDir, folder.path, { recursive: true });
    if (isMarked) {
      using db = new DatabaseSync(join(folder.path, 'secrets-server.db'));
      db.prepare("UPDATE namespace SET deleting = 1 WHERE path = 'team/'").run();
    }
    own.cloud.inject = undefined;
    const { accounts, clock } = own;
    const service = await createService({
      accounts,
      clock,
      dataDir: folder.path,
      cloudTimes: shortTimes,
      cloudEnvironment: {},
    });
    const next = await listen(service, { host: '127.0.0.1', port: 0 });
    const again = clientOf(next.address, own.admin.token);
    const inside = within(again, 'team');
    const late = within(clientOf(next.address, member.token), 'team');
    if (isMarked) {
      expect((await inside.read('secret/data/a')).status).toBe(404);
      await expect
        .poll(async () => (await again.write('sys/namespaces/team')).status, { timeout: 10_000 })
        .toBe(200);
      expect(usersOf(own.cloud)).toEqual([]);
      expect((await inside.read('secret/data/a')).status).toBe(404);
      expect((await inside.list('sys/policies/acl')).data['keys']).toEqual(['default']);
      expect((await late.read('auth/token/lookup-self')).status).toBe(403);
    } else {
      expect((await late.read('secret/data/a')).data['data']).toEqual({ a: 1 });
    }
    await next.drain(0);
    await service.close();
    release.resolve(undefined);
    expect((await deleted).status).toBe(200);
  });

  test("the namespace stays if a lease can't be revoked, and its other engines issue again", async () => {
    const { own, member } = await startWithTeam();
    await using _ = own;
    await member.write('sys/mounts/another', { type: 'cloud' });
    await member.write('another/config/root', { ...rootFields(own.cloud.url), max_retries: 0 });
    await member.write('another/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
    own.cloud.inject = () => ({ effect: 'before', answer: { status: 403, code: 'AccessDenied' } });
    const refused = await own.admin.delete('sys/namespaces/team');
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      [expect.stringMatching(/^cannot unmount "cloud\/": leases not revoked yet/)],
    ]);
    expect((await member.read('secret/data/a')).data['data']).toEqual({ a: 1 });
    expect((await own.admin.list('sys/namespaces')).data['keys']).toEqual(['team/']);
    await member.write('sys/leases/revoke-force/cloud');
    own.cloud.inject = undefined;
    expect((await member.read('another/creds/u')).status).toBe(200);
    expect((await own.admin.delete('sys/namespaces/team')).status).toBe(200);
  });
});
