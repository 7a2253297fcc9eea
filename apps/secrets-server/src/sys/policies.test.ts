import { Slices } from '@gatehouse/service-kit/slices';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { initialPolicies } from '../domain/policy/initial-policies.ts';
import type { Client } from '../testing/client.ts';
import { as, errorsOf, tokenWith } from '../testing/people.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startServer();
  admin = await as(server, 'administrator');
});
afterAll(() => server[Symbol.asyncDispose]());

/** A client whose token has one policy with this text. */
const under = async (text: string): Promise<Client> => {
  const name = `p${Math.random().toString(36).slice(2)}`;
  expect((await admin.write(`sys/policies/acl/${name}`, { policy: text })).status).toBe(204);
  return server.with(await tokenWith(admin, { policies: [name] }));
};

describe('policies', () => {
  test('exist initially, and are listed and read', async () => {
    const listed = ['administrator', 'default', 'operator', 'read-only', 'root'];
    expect((await admin.list('sys/policies/acl')).data['keys']).toEqual(expect.arrayContaining(listed));
    const operator = await admin.read('sys/policies/acl/operator');
    expect(operator.data).toEqual({ name: 'operator', policy: initialPolicies['operator'] });
    expect((await admin.read('sys/policies/acl/root')).data).toEqual({ name: 'root', policy: '' });
    const old = await admin.read('sys/policy');
    expect(old.body['policies']).toEqual(old.data['keys']);
    expect((await admin.read('sys/policy/default')).body['rules']).toBe(initialPolicies['default']);
  });

  test('are created, read, updated and deleted', async () => {
    const text = '# mine\npath "secret/*" { policy = "read" }\n';
    expect((await admin.write('sys/policies/acl/Team/Mine', { policy: text })).status).toBe(204);
    expect((await admin.read('sys/policies/acl/team/mine')).data).toEqual({
      name: 'team/mine',
      policy: text,
    });
    await admin.write('sys/policy/team/mine', { rules: Buffer.from(`${text}\n`).toString('base64') });
    expect((await admin.read('sys/policies/acl/team/mine')).data['policy']).toBe(`${text}\n`);
    expect((await admin.delete('sys/policies/acl/team/mine')).status).toBe(204);
    expect((await admin.delete('sys/policies/acl/team/mine')).status).toBe(204);
    const gone = await admin.read('sys/policies/acl/team/mine');
    expect([gone.status, gone.body]).toEqual([404, { errors: [] }]);
  });

  test.each([
    ['root', { policy: 'path "a" {}' }, 'cannot update "root" policy'],
    ['response-wrapping', { policy: 'path "a" {}' }, 'cannot update "response-wrapping" policy'],
    ['p', {}, "'policy' parameter not supplied or empty"],
    // Only sys/policy reads this name: a rule for what can be written as `policy` would not see the text.
    ['p', { rules: 'path "a" {}' }, "'policy' parameter not supplied or empty"],
    [
      'p',
      { policy: ['x'] },
      'Field validation failed: error converting input for field "policy": not a string',
    ],
    [
      'p',
      { policy: 'path "a" {\n  capabilities = ["raed"]\n}' },
      'failed to parse policy: At 2:19: path "a": invalid capability "raed"',
    ],
  ])('refuse for %s the body %j', async (name, body, message) => {
    const answer = await admin.write(`sys/policies/acl/${name}`, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test.each([
    ['root', 'cannot delete "root" policy'],
    ['default', 'cannot delete default policy'],
  ])("can't be deleted: %s", async (name, message) => {
    const answer = await admin.delete(`sys/policies/acl/${name}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test.each(['operator', 'read-only'] as const)('are not visible to the role %s', async (role) => {
    const person = await as(server, role);
    expect((await person.list('sys/policies/acl')).status).toBe(403);
    expect(
      (await person.write('sys/policies/acl/p', { policy: 'path "*" { policy = "sudo" }' })).status,
    ).toBe(403);
  });

  test('are changed with immediate effect on existing tokens', async () => {
    await admin.write('sys/policies/acl/changing', { policy: 'path "sys/auth" { policy = "read" }' });
    const client = server.with(await tokenWith(admin, { policies: ['changing'] }));
    expect((await client.read('sys/auth')).status).toBe(200);
    await admin.write('sys/policies/acl/changing', { policy: 'path "sys/auth" { policy = "deny" }' });
    expect((await client.read('sys/auth')).status).toBe(403);
    await admin.delete('sys/policies/acl/changing');
    expect((await client.read('auth/token/lookup-self')).status).toBe(200);
  });
});

describe('permissions of a policy', () => {
  beforeAll(async () => {
    await admin.write('secret/data/known', { data: { a: 1 } });
    await admin.write('secret/data/team/a', { data: { a: 1 } });
  });

  test('list does not include read', async () => {
    const client = await under('path "secret/metadata/*" { capabilities = ["list"] }');
    expect((await client.list('secret/metadata/')).status).toBe(200);
    expect((await client.read('secret/metadata/known')).status).toBe(403);
    expect((await client.read('secret/data/known')).status).toBe(403);
  });

  test("create and update don't include each other", async () => {
    const creator = await under('path "secret/data/*" { capabilities = ["create"] }');
    expect((await creator.write('secret/data/known', { data: {} })).status).toBe(403);
    expect((await creator.write('secret/data/new', { data: {} })).status).toBe(200);
    expect((await creator.write('secret/data/new', { data: {} })).status).toBe(403);
    const updater = await under('path "secret/data/*" { capabilities = ["update"] }');
    expect((await updater.write('secret/data/newer', { data: {} })).status).toBe(403);
    expect((await updater.write('secret/data/known', { data: { a: 1 } })).status).toBe(200);
  });

  test('patch is a separate capability', async () => {
    const patcher = await under('path "secret/data/*" { capabilities = ["patch"] }');
    expect((await patcher.patch('secret/data/known', { data: { b: 2 } })).status).toBe(200);
    expect((await patcher.write('secret/data/known', { data: {} })).status).toBe(403);
    const updater = await under('path "secret/data/*" { capabilities = ["update"] }');
    expect((await updater.patch('secret/data/known', { data: {} })).status).toBe(403);
  });

  test('patterns and denials apply to real requests', async () => {
    const client = await under(`
      path "secret/data/+" { policy = "read" }
      path "secret/data/team/*" { policy = "read" }
      path "secret/data/team/secret*" { policy = "deny" }
      path "+/metadata/*" { capabilities = ["read"] }`);
    const statuses = [];
    for (const path of [
      'data/known',
      'data/team/a',
      'data/team/secrets',
      'data/other/a',
      'metadata/known',
      'config',
    ])
      statuses.push((await client.read(`secret/${path}`)).status);
    expect(statuses).toEqual([200, 200, 403, 403, 200, 403]);
  });

  test.each([
    ['GET', 'sys/mounts/guarded/', 'sys/mounts/guarded'],
    ['DELETE', 'sys/mounts/guarded/', 'sys/mounts/guarded'],
    ['GET', 'sys/namespaces/guarded-team/', 'sys/namespaces/guarded-team'],
    ['DELETE', 'sys/namespaces/guarded-team/', 'sys/namespaces/guarded-team'],
    ['GET', 'sys/policies/acl/%20Guarded', 'sys/policies/acl/guarded'],
    ['POST', 'sys/policies/acl/GUARDED', 'sys/policies/acl/guarded'],
    ['DELETE', 'sys/policies/acl/Guarded', 'sys/policies/acl/guarded'],
    ['GET', 'sys/policy/guarded%20', 'sys/policy/guarded'],
    ['POST', 'sys/policy/Guarded', 'sys/policy/guarded'],
    ['DELETE', 'sys/policy/Guarded', 'sys/policy/guarded'],
  ] as const)('%s %s is judged as %s too', async (method, spelling, path) => {
    await admin.write('sys/mounts/guarded', { type: 'kv' });
    await admin.write('sys/namespaces/guarded-team');
    await admin.write('sys/policies/acl/guarded', { policy: 'path "a" {}' });
    const all = 'path "sys/*" { capabilities = ["create", "read", "update", "delete"] }';
    const body = method === 'POST' ? { policy: 'path "b" {}' } : undefined;
    const denied = await under(`${all} path "${path}" { capabilities = ["deny"] }`);
    expect((await denied.send(method, spelling, body)).status).toBe(403);
    // Whatever may be done with the record may be done under each of its spellings.
    const allowed = await under(all);
    expect((await allowed.send(method, spelling, body)).status).toBeLessThan(300);
    // The spelling must be permitted too, as in Vault.
    const sent = decodeURIComponent(spelling);
    const other = await under(`${all} path "${sent}" { capabilities = ["deny"] }`);
    expect((await other.send(method, spelling, body)).status).toBe(403);
  });

  test("paths that require sudo require the operation's capability too", async () => {
    const without = await under('path "sys/rotate" { capabilities = ["update"] }');
    expect((await without.write('sys/rotate')).status).toBe(403);
    const only = await under('path "sys/rotate" { capabilities = ["sudo"] }');
    expect((await only.write('sys/rotate')).status).toBe(403);
    const both = await under('path "sys/rotate" { capabilities = ["update", "sudo"] }');
    expect((await both.write('sys/rotate')).status).toBeLessThan(300);
  });

  test('parameters are restricted', async () => {
    const client = await under(`path "sys/policies/acl/x" {
      capabilities = ["update"]
      allowed_parameters = { policy = ["path \\"a\\"*"] }
    }`);
    expect((await client.write('sys/policies/acl/x', { policy: 'path "a" {}' })).status).toBe(204);
    expect((await client.write('sys/policies/acl/x', { policy: 'path "b" {}' })).status).toBe(403);
    expect((await client.write('sys/policies/acl/x', { policy: 'path "a" {}', more: 1 })).status).toBe(403);
  });

  test('a missing path is reported only to callers who may use it', async () => {
    expect((await admin.read('nothing/here')).status).toBe(404);
    expect((await (await as(server, 'read-only')).read('nothing/here')).status).toBe(403);
  });
});

describe('the roles with real secrets', () => {
  test('an operator can write secrets but nothing of the system', async () => {
    const operator = await as(server, 'operator');
    expect((await operator.write('secret/data/op', { data: { a: 1 } })).status).toBe(200);
    expect((await operator.list('secret/metadata/')).status).toBe(200);
    expect((await operator.send('PUT', 'secret/destroy/op', { versions: [1] })).status).toBe(204);
    expect((await operator.delete('secret/metadata/op')).status).toBe(204);
    for (const path of ['sys/mounts', 'sys/auth']) expect((await operator.read(path)).status).toBe(403);
    expect((await operator.write('sys/mounts/data/x', { type: 'kv' })).status).toBe(403);
    expect((await operator.write('secret/config', { max_versions: 3 })).status).toBe(403);
  });

  test('a read-only user can only read', async () => {
    const reader = await as(server, 'read-only');
    expect((await reader.read('secret/data/known')).status).toBe(200);
    expect((await reader.write('secret/data/known', { data: {} })).status).toBe(403);
    expect((await reader.delete('secret/metadata/known')).status).toBe(403);
  });
});

test('a policy has at most 131,072 characters', async () => {
  const comment = (length: number) => ({ policy: `#${'x'.repeat(length - 1)}` });
  expect((await admin.write('sys/policies/acl/long', comment(131_072))).status).toBe(204);
  const refused = await admin.write('sys/policies/acl/long', comment(131_073));
  expect(errorsOf(refused)).toEqual([expect.stringContaining('text of more than 131072 characters')]);
  const crowded = await admin.write('sys/policies/acl/long', { policy: 'path"a"{}'.repeat(12_501) });
  expect(errorsOf(crowded)).toEqual([expect.stringContaining('more than 50000 words and symbols')]);
  await admin.delete('sys/policies/acl/long');
});

test('a token with too large policies is not created, and refused when they grow', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `large-${index}`);
  const write = async (length: number): Promise<void> => {
    for (const name of names)
      await admin.write(`sys/policies/acl/${name}`, { policy: `#${'x'.repeat(length)}` });
  };
  await write(100);
  const client = server.with(await tokenWith(admin, { policies: names }));
  expect((await client.read('auth/token/lookup-self')).status).toBe(200);
  await write(120_000);
  const message = expect.stringContaining("the token's policies are too large");
  const refused = await client.read('auth/token/lookup-self');
  expect([refused.status, errorsOf(refused)]).toEqual([403, [message]]);
  const created = await admin.write('auth/token/create', { policies: names });
  expect([created.status, errorsOf(created)]).toEqual([400, [message]]);
  expect((await admin.write('auth/token/create', { policies: names.slice(0, 4) })).status).toBe(200);
  for (const name of names) await admin.delete(`sys/policies/acl/${name}`);
  expect((await client.read('auth/token/lookup-self')).status).toBe(200);
});

describe('reading capabilities', () => {
  const text =
    'path "secret/data/a" { capabilities = ["update", "read", "sudo"] } path "secret/data/b" { policy = "deny" }';

  test('is refused for paths that would take too long to evaluate', async () => {
    const cases = [
      [{ paths: ['a/'.repeat(2049), 'b'] }, 'a path has more than 4096 characters'],
      [
        { paths: ['a/'.repeat(2 ** 20), 'b'] },
        'Field validation failed: error converting input for field "paths": texts of more than 2097152 characters in all',
      ],
      [
        { path: ','.repeat(2 ** 18 + 1) },
        'Field validation failed: error converting input for field "path": text of more than 262144 characters',
      ],
    ] as const;
    for (const [body, message] of cases) {
      const answer = await admin.write('sys/capabilities-self', body);
      expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    }
  });

  test("works for the caller's token, another token and an accessor", async () => {
    const client = await under(text);
    const paths = ['secret/data/a', '/secret/data/b', 'sys/capabilities-self', 'else'];
    const expected = {
      'secret/data/a': ['read', 'sudo', 'update'],
      '/secret/data/b': ['deny'],
      'sys/capabilities-self': ['update'],
      else: ['deny'],
    };
    const own = await client.write('sys/capabilities-self', { paths });
    expect(own.data).toEqual(expected);
    expect(own.body).toMatchObject(expected);
    expect((await admin.write('sys/capabilities', { token: client.token, paths })).data).toEqual(expected);
    const { accessor } = (await client.read('auth/token/lookup-self')).data;
    expect((await admin.write('sys/capabilities-accessor', { accessor, paths })).data).toEqual(expected);
    expect((await client.write('sys/capabilities', { token: client.token, paths })).status).toBe(403);
  });

  test('works only for accessors of tokens of the namespace and below', async () => {
    await admin.write('sys/namespaces/tenant');
    await admin.write('tenant/sys/policies/acl/all', { policy: 'path "*" { policy = "sudo" }' });
    const tenant = server.with(await tokenWith(admin, { policies: ['all'] }, 'tenant/auth/token/create'));
    const above = (await admin.read('auth/token/lookup-self')).data['accessor'];
    const within = (await tenant.read('tenant/auth/token/lookup-self')).data['accessor'];
    const ask = (accessor: unknown, path: string, namespace: string, asker: Client) =>
      asker.write(`${namespace}sys/capabilities-accessor`, { accessor, paths: [path] });
    const refused = await ask(above, 'a', 'tenant/', tenant);
    expect([refused.status, errorsOf(refused)]).toEqual([400, ['invalid accessor']]);
    for (const answer of [
      await ask(within, 'a', 'tenant/', tenant),
      await ask(within, 'tenant/a', '', admin),
    ])
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"sudo"')]);
  });

  test('lets other requests continue between many paths', async () => {
    const paths = Array.from({ length: 1_000 }, (_path, index) => `secret/data/${index}`);
    const gaveWay = vi.spyOn(Slices.prototype, 'giveWay');
    expect((await admin.write('sys/capabilities-self', { paths })).status).toBe(200);
    expect(gaveWay.mock.calls.length).toBeGreaterThanOrEqual(40);
    gaveWay.mockClear();
    // Long paths take longer.
    const long = paths.slice(0, 100).map((path) => path.padEnd(4096, '/a'));
    expect((await admin.write('sys/capabilities-self', { paths: long })).status).toBe(200);
    expect(gaveWay.mock.calls.length).toBeGreaterThanOrEqual(40);
    gaveWay.mockRestore();
  });

  test('lets other requests continue between many grants and many mounts', async () => {
    const client = await under(
      Array.from({ length: 1_000 }, (_path, index) => `path "secret/data/${index}" {}`).join('\n'),
    );
    for (let index = 0; index < 50; index += 1) await admin.write(`sys/mounts/many-${index}`, { type: 'kv' });
    for (const path of ['resultant-acl', 'mounts']) {
      using gaveWay = vi.spyOn(Slices.prototype, 'giveWay');
      expect((await client.read(`sys/internal/ui/${path}`)).status).toBe(200);
      expect(gaveWay.mock.calls.length).toBeGreaterThanOrEqual(2);
    }
    for (let index = 0; index < 50; index += 1) await admin.delete(`sys/mounts/many-${index}`);
  });

  test('works for a single path', async () => {
    const { data } = await (await under(text)).write('sys/capabilities-self', { path: 'secret/data/a' });
    expect(data).toEqual({
      'secret/data/a': ['read', 'sudo', 'update'],
      capabilities: ['read', 'sudo', 'update'],
    });
  });

  test.each([
    ['capabilities-self', {}, 'paths must be supplied'],
    ['capabilities', { paths: ['a'] }, 'missing token'],
    ['capabilities', { paths: ['a'], token: 'unknown' }, 'invalid token'],
    ['capabilities-accessor', { paths: ['a'] }, 'missing accessor'],
    ['capabilities-accessor', { paths: ['a'], accessor: 'unknown' }, 'invalid accessor'],
  ])('is refused at sys/%s for %j', async (path, body, message) => {
    const answer = await admin.write(`sys/${path}`, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test('returns all grants in the resultant ACL', async () => {
    const client = await under(
      `${text} path "team/*" { capabilities = ["list"] min_wrapping_ttl = 60 required_parameters = ["x"] }`,
    );
    const { data } = await client.read('sys/internal/ui/resultant-acl');
    expect(data).toMatchObject({
      root: false,
      exact_paths: {
        'secret/data/a': { capabilities: ['read', 'sudo', 'update'] },
        'secret/data/b': { capabilities: ['deny'] },
        'auth/token/lookup-self': { capabilities: ['read'] },
      },
      glob_paths: { 'team/': { capabilities: ['list'], min_wrapping_ttl: 60, required_parameters: ['x'] } },
    });
  });

  test('shows only the mounts that the caller can reach', async () => {
    await admin.write('sys/mounts/other', { type: 'kv', options: { version: '2' } });
    const client = await under('path "other/data/deep/*" { policy = "read" }');
    const { data } = await client.read('sys/internal/ui/mounts');
    expect(Object.keys(data['secret'] as object)).toEqual(expect.arrayContaining(['other/']));
    expect(Object.keys(data['secret'] as object)).not.toContain('secret/');
    expect((await client.read('sys/internal/ui/mounts/other')).status).toBe(200);
    expect((await client.read('sys/internal/ui/mounts/secret')).status).toBe(403);
    const methods = Object.entries((await admin.read('sys/auth')).data);
    // Their accounts and tokens belong to this cluster, so replication filters don't apply to them.
    expect(methods).toMatchObject([
      ['token/', { local: true }],
      ['userpass/', { local: true }],
    ]);
  });
});
