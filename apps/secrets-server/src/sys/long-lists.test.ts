import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const mebi = 2 ** 20;

/** Changes the database, as another cluster may have filled it. */
function inStore(statement: string, ...each: readonly (readonly SQLInputValue[])[]): void {
  using db = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
  db.exec('PRAGMA busy_timeout = 10000');
  const prepared = db.prepare(statement);
  for (const values of each) prepared.run(...values);
}
const long = (n: number): string => String(n) + 'x'.repeat(mebi);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** The refusal of a path's list, and the number of names in a part of it. */
async function listed(path: string, after = ''): Promise<unknown[]> {
  const whole = await admin.list(path);
  const part = await admin.read(`${path}?list=true&limit=2&after=${after}`);
  return [whole.status, errorsOf(whole), (part.data['keys'] as string[]).map((name) => name.slice(0, 5))];
}
const tooLong = (remedy: string) => [`this list is too long for one response: ${remedy}`];
const inPages = tooLong('use limit and after to list it in pages');

describe('a too long list', () => {
  test("is refused for a cloud engine's roles, and listed in parts", async () => {
    await admin.write('sys/mounts/cloud', { type: 'cloud' });
    const roles = upTo(9).map((n) => [long(n)]);
    inStore(
      `INSERT INTO cloud_role (mount_id, name, sealed) SELECT id, ?, x'' FROM mount WHERE path = 'cloud/'`,
      ...roles,
    );
    expect(await listed('cloud/roles', '1')).toEqual([400, inPages, ['1xxxx', '2xxxx']]);
  });

  test('is refused for leases, and listed in parts and by folder', async () => {
    inStore(
      `INSERT INTO lease VALUES (?, '', 'cloud', 99, NULL, 0, 9e15, 9e15, NULL, 0, 0, 9e15, x'')`,
      ...upTo(9).map((n) => [`c/creds/r/${long(n)}`]),
      ['c/creds/s/1'],
      ['d/creds/s/1'],
    );
    expect(await listed('sys/leases/lookup/c/creds/r', '1')).toEqual([400, inPages, ['1xxxx', '2xxxx']]);
    expect((await admin.list('sys/leases/lookup/c/creds')).data['keys']).toEqual(['r/', 's/']);
    expect((await admin.list('sys/leases/lookup')).data['keys']).toEqual(['c/', 'd/']);
  });

  test('is refused for policies, whose older path contains the names four times', async () => {
    await admin.write('sys/namespaces/policies');
    const insert = `INSERT INTO policy (namespace, name, sealed) VALUES ('policies/', ?, x'')`;
    inStore(insert, ...upTo(3).map((n) => [long(n)]));
    const old = await admin.read('policies/sys/policy');
    expect([old.status, errorsOf(old)]).toEqual([400, tooLong('use sys/policies/acl')]);
    expect((await admin.list('policies/sys/policies/acl')).data['keys']).toHaveLength(4);
    inStore(insert, ...upTo(6).map((n) => [long(n + 3)]));
    const acl = await admin.list('policies/sys/policies/acl');
    expect([acl.status, errorsOf(acl)]).toEqual([400, tooLong('delete policies that are no longer needed')]);
  });

  test('is refused for mounts, which can be read one by one', async () => {
    await admin.write('sys/namespaces/mounts');
    inStore(
      `INSERT INTO mount (namespace, path, type, description, accessor, uuid, config)
        VALUES ('mounts/', ?, 'kv', ?, ?, ?, '{}')`,
      ...upTo(9).map((n) => [`m${n}/`, long(n), `a${n}`, `u${n}`]),
    );
    const all = await admin.read('mounts/sys/mounts');
    expect([all.status, errorsOf(all)]).toEqual([400, tooLong('read one mount at a time')]);
    const ui = await admin.read('mounts/sys/internal/ui/mounts');
    expect([ui.status, errorsOf(ui)]).toEqual([400, tooLong('ask for one mount at a time')]);
    expect((await admin.read('mounts/sys/mounts/m8')).data).toMatchObject({ description: long(8) });
  });

  test('is refused for namespaces, and listed in parts', async () => {
    for (const n of upTo(9)) await admin.write(`sys/namespaces/many${n}`);
    const noted = upTo(9).map((n) => [JSON.stringify({ a: long(n) }), `many${n}/`]);
    inStore('UPDATE namespace SET custom_metadata = ? WHERE path = ?', ...noted);
    expect(await listed('sys/namespaces', 'many1/')).toEqual([400, inPages, ['many2', 'many3']]);
    const { key_info } = (await admin.read('sys/namespaces?list=true&limit=1&after=many7/')).data;
    expect(key_info).toMatchObject({ 'many8/': { path: 'many8/', custom_metadata: { a: long(8) } } });
  });

  test("is refused for a token's grants, in a namespace with a long path", async () => {
    let namespace = '';
    for (const letter of 'abcdefg') {
      await admin.write(`${namespace}sys/namespaces/${letter.repeat(128)}`);
      namespace += `${letter.repeat(128)}/`;
    }
    const policies = ['a', 'b'];
    for (const policy of policies) {
      const paths = upTo(4700).map((n) => `path "${policy}${n}"{policy="read"}`);
      const set = await admin.write(`${namespace}sys/policies/acl/${policy}`, { policy: paths.join('') });
      expect(set.status).toBe(204);
    }
    const own = server.with(await tokenWith(admin, { policies }, `${namespace}auth/token/create`));
    const grants = await own.read(`${namespace}sys/internal/ui/resultant-acl`);
    expect([grants.status, errorsOf(grants)]).toEqual([
      400,
      tooLong('use a token with fewer or smaller policies'),
    ]);
  });
});

describe('new', () => {
  const refused = async (answer: ReturnType<Client['write']>): Promise<unknown> => {
    const { status, body } = await answer;
    return [status, body['errors']];
  };
  const invalid = (field: string, why: string) => [
    400,
    [`Field validation failed: error converting input for field "${field}": ${why}`],
  ];

  test('mounts have paths of at most 512 characters, and short descriptions and options', async () => {
    const at = (path: string, more = {}) => admin.write(`sys/mounts/${path}`, { type: 'kv', ...more });
    expect((await at('p'.repeat(511))).status).toBe(204);
    expect(await refused(at('q'.repeat(512)))).toEqual([400, ['mount path longer than 512 characters']]);
    const description = 'd'.repeat(4097);
    const tooMuch = invalid('description', 'text of more than 4096 characters');
    expect(await refused(at('new', { description }))).toEqual(tooMuch);
    expect((await at('new', { description: 'd'.repeat(4096) })).status).toBe(204);
    expect(await refused(admin.write('sys/mounts/new/tune', { description }))).toEqual(tooMuch);
    const options = { a: 'x'.repeat(4096) };
    expect(await refused(admin.write('sys/mounts/new/tune', { options }))).toEqual(
      invalid('options', 'more than 4096 bytes'),
    );
  });

  test('namespaces have at most 8 KiB of custom metadata', async () => {
    const notes = (count: number) =>
      Object.fromEntries(upTo(count).map((n) => [`k${String(n).padStart(2, '0')}`, 'v'.repeat(509)]));
    const tooMuch = invalid('custom_metadata', 'more than 8192 bytes');
    const write = (count: number) => admin.write('sys/namespaces/noted', { custom_metadata: notes(count) });
    expect(await refused(write(17))).toEqual(tooMuch);
    expect((await write(16)).status).toBe(200);
    const patch = admin.patch('sys/namespaces/noted', { custom_metadata: { more: 'x' } });
    expect(await refused(patch)).toEqual(tooMuch);
    expect((await admin.read('sys/namespaces/noted')).data['custom_metadata']).toEqual(notes(16));
  });

  test('roles have names of at most 128 characters', async () => {
    await admin.write('sys/mounts/named', { type: 'cloud' });
    const role = { credential_type: 'iam_user', policy_arns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] };
    const set = (name: string) => admin.write(`named/roles/${name}`, role);
    expect((await set('r'.repeat(128))).status).toBe(204);
    const name = 'r'.repeat(129);
    expect(await refused(set(name))).toEqual([400, ['role name longer than 128 characters']]);
  });
});
