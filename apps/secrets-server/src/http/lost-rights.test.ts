import { DatabaseSync } from 'node:sqlite';
import { holdNextSlice } from '@gatehouse/service-kit/testing/held-slice';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { WriteQueue, currentAsker } from '@gatehouse/service-kit/write-queue';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cloudTimes } from '../engines/cloud/times.ts';
import type { Client, WireAnswer } from '../testing/client.ts';
import { as, signIn, tokenOf, tokenWith } from '../testing/people.ts';
import { startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  // A held write waits for those of requests, not for the removal of expired tokens.
  server = await startServer({ cloudTimes: { ...cloudTimes, sweep: 3_600_000 } });
  admin = await as(server, 'administrator');
  for (const [path, body] of [
    ['secret/data/kept', { data: { kept: true } }],
    ['sys/policies/acl/kept', { policy: everything }],
    ['sys/mounts/kept', { type: 'kv' }],
    ['sys/mounts/cloud', { type: 'cloud' }],
    ['sys/namespaces/team', {}],
    ['sys/plugins/catalog/secret/kept', { sha256, command: 'kept', version: '1.0.0' }],
    ['sys/plugins/catalog/secret/kept', { sha256, command: 'kept' }],
  ] as const)
    expect([path, (await admin.write(path, body)).body['errors']]).toEqual([path, undefined]);
});
afterAll(() => server[Symbol.asyncDispose]());

const merge = 'application/merge-patch+json';
const everything =
  'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"] }';

/** A client whose token has a policy of its own, which allows everything. */
async function helper(body: Readonly<Record<string, unknown>> = {}): Promise<Client> {
  await admin.write('sys/policies/acl/helper', { policy: everything });
  return server.with(await tokenWith(admin, { policies: ['helper'], ...body }));
}

/** Sends a request that is judged before `other` is done, but written after it, or its first writes. */
async function writtenAfter(
  request: () => Promise<WireAnswer>,
  other: () => Promise<unknown>,
  others?: number,
  earlier?: number,
): Promise<WireAnswer> {
  const held = holdNextWrite(others, earlier);
  const answer = request();
  await held;
  await other();
  await admin.write('secret/data/others', { data: {} });
  return answer;
}

/** A request that can be repeated, and what it changes. */
interface Late {
  readonly name: string;
  readonly request: (client: Client) => Promise<WireAnswer>;
  readonly read: (admin: Client) => Promise<WireAnswer>;
}

const sha256 = 'ab'.repeat(32);
const write = (path: string, body: unknown, changed = path): Late => ({
  name: `POST ${path}`,
  request: (client) => client.write(path, body),
  read: (client) => client.read(changed),
});
const remove = (path: string): Late => ({
  name: `DELETE ${path}`,
  request: (client) => client.delete(path),
  read: (client) => client.read(path),
});
const late: readonly Late[] = [
  write('secret/data/late', { data: { late: true } }),
  write('secret/metadata/kept', { custom_metadata: { late: 'true' } }),
  write('secret/config', { max_versions: 7 }),
  {
    name: 'PATCH secret/data/kept',
    request: (client) =>
      client.send('PATCH', 'secret/data/kept', { data: { late: true } }, { 'content-type': merge }),
    read: (client) => client.read('secret/data/kept'),
  },
  remove('secret/data/kept'),
  remove('secret/metadata/kept'),
  write('sys/policies/acl/late', { policy: everything }),
  remove('sys/policies/acl/kept'),
  write('sys/mounts/late', { type: 'kv' }),
  write('sys/mounts/secret/tune', { description: 'late' }),
  remove('sys/mounts/kept'),
  write('sys/namespaces/other', {}),
  remove('sys/namespaces/team'),
  write('sys/plugins/catalog/secret/late', { sha256, command: 'late' }),
  remove('sys/plugins/catalog/secret/kept'),
  write('sys/plugins/pins/secret/kept', { version: '1.0.0' }),
  write('sys/rotate', {}, 'sys/key-status'),
  write('cloud/roles/late', { credential_type: 'iam_user' }),
  write('cloud/config/lease', { lease: '1h', lease_max: '2h' }),
];

describe('a request that is written after', () => {
  const losses: readonly (readonly [name: string, lose: (token: string) => Promise<unknown>])[] = [
    ['its token was revoked', (token) => admin.write('auth/token/revoke', { token })],
    ['its token expired', () => Promise.resolve(server.clock.advance(31 * 60_000))],
    ['its policy was deleted', () => admin.delete('sys/policies/acl/helper')],
    [
      'its policy was changed',
      () => admin.write('sys/policies/acl/helper', { policy: 'path "secret/data/kept" {}' }),
    ],
  ];
  test.each(losses)('%s changes nothing', async (_, lose) => {
    for (const { name, request, read } of late) {
      const client = await helper({ ttl: '30m' });
      const before = (await read(admin)).data;
      const { status, body } = await writtenAfter(
        () => request(client),
        () => lose(client.token ?? ''),
      );
      expect([name, status, body['errors']]).toEqual([name, 403, ['permission denied']]);
      expect((await read(admin)).data).toEqual(before);
    }
  });

  test('its account was disabled changes nothing', async () => {
    const account = await server.accounts.create({
      loginName: 'late',
      password: testPassword,
      roles: { secrets: 'operator' },
    });
    const client = server.with(tokenOf(await signIn(server, 'late')));
    const { status } = await writtenAfter(
      () => client.write('secret/data/disabled', { data: {} }),
      () => server.accounts.update(account.id, account.version, { disabled: true }),
    );
    expect(status).toBe(403);
    expect((await admin.read('secret/data/disabled')).status).toBe(404);
  });

  test("its record's path was denied changes nothing, whatever its spelling", async () => {
    const client = await helper();
    const { status } = await writtenAfter(
      () => client.delete('sys/policies/acl/Kept'),
      () =>
        admin.write('sys/policies/acl/helper', {
          policy: `${everything} path "sys/policies/acl/kept" { capabilities = ["deny"] }`,
        }),
    );
    expect(status).toBe(403);
    expect((await admin.read('sys/policies/acl/kept')).data).toMatchObject({ policy: everything });
  });

  test('others created its secret does not replace that without the right to', async () => {
    const client = await helper();
    await admin.write('sys/policies/acl/helper', {
      policy: 'path "secret/data/first" { capabilities = ["create"] }',
    });
    const { status } = await writtenAfter(
      () => client.write('secret/data/first', { data: { of: 'client' } }),
      () => admin.write('secret/data/first', { data: { of: 'admin' } }),
    );
    expect(status).toBe(403);
    expect((await admin.read('secret/data/first')).data).toMatchObject({ data: { of: 'admin' } });
  });

  test.each([
    // The first write ends its leases.
    ['its engine', 'sys/mounts/going', { type: 'kv' }, 'going/data/late', 2],
    ['its namespace', 'sys/namespaces/going-too', {}, 'going-too/sys/policies/acl/late', 1],
  ])('%s was deleted changes nothing', async (_, path, body, below, others) => {
    expect((await admin.write(path, body)).body['errors']).toBeUndefined();
    const { status } = await writtenAfter(
      () => admin.write(below, { data: {}, policy: everything }),
      () => admin.delete(path),
      others,
    );
    expect(status).toBe(404);
    // Nothing is left for another one of that name.
    await admin.write(path, body);
    expect((await admin.read(below)).status).toBe(404);
  });

  test.each([
    ['has been counted', 1],
    ['has removed it', 3],
  ])('a later use, the last of its token, %s is done', async (_, others) => {
    const client = await helper({ num_uses: 2 });
    const { status } = await writtenAfter(
      () => client.write('secret/data/counted', { data: {} }),
      () => client.read('auth/token/lookup-self'),
      others,
      // The count of its own use.
      1,
    );
    expect(status).toBe(200);
    expect((await client.read('auth/token/lookup-self')).status).toBe(403);
    await admin.delete('secret/metadata/counted');
  });

  test.each([
    ['and its token was revoked', 2],
    ['and its token was revoked before its last use', 3],
  ])('its use was counted %s changes nothing', async (_, uses) => {
    const client = await helper({ num_uses: uses });
    const { status } = await writtenAfter(
      () => client.write('secret/data/revoked', { data: {} }),
      async () => {
        if (uses > 2) await client.read('auth/token/lookup-self');
        await admin.write('auth/token/revoke', { token: client.token });
        expect((await client.read('auth/token/lookup-self')).status).toBe(403);
      },
      2,
      1,
    );
    expect(status).toBe(403);
    expect((await admin.read('secret/data/revoked')).status).toBe(404);
  });

  test('the last use of its token was counted is done', async () => {
    const client = await helper({ num_uses: 1 });
    expect((await client.write('secret/data/last', { data: {} })).status).toBe(200);
    expect((await client.write('secret/data/last', { data: {} })).status).toBe(403);
  });
});

test.each([
  ['allows it', `${everything}\n`, 200],
  ['denies it', 'path "secret/data/large" { capabilities = ["deny"] }\n', 403],
])(
  'a large policy that changed before a write is compiled outside it: one that %s',
  async (_, start, status) => {
    const large = (text: string) => `${text}${'path "other" { capabilities = ["read"] }\n'.repeat(1_000)}`;
    const client = await helper();
    await admin.write('sys/policies/acl/helper', { policy: large(`${everything}\n`) });
    const writes: unknown[] = [];
    const add = Object.getOwnPropertyDescriptor(WriteQueue.prototype, 'add')?.value as (
      write: unknown,
    ) => void;
    using _adding = vi.spyOn(WriteQueue.prototype, 'add').mockImplementation(function (
      this: WriteQueue<unknown>,
      write,
    ) {
      // The process's own come at any time.
      if (currentAsker() !== '') writes.push(write);
      add.call(this, write);
    });
    const answer = await writtenAfter(
      () => client.write('secret/data/large', { data: {} }),
      () => admin.write('sys/policies/acl/helper', { policy: large(start) }),
    );
    expect(answer.status).toBe(status);
    // The request's, the policy's, one of others, and the request's again.
    expect(writes).toHaveLength(4);
    expect((await admin.read('secret/data/large')).status).toBe(status === 200 ? 200 : 404);
    await admin.delete('secret/metadata/large');
  },
);

test.each([
  ['once if its policy stays the same', undefined, 200, ['needle']],
  ['again if its policy has changed', 'other', 403, ['needle', 'other']],
])('the parameters of a request that waited are compared %s', async (_, later, status, compared) => {
  const permit = (text: string) =>
    admin.write('sys/policies/acl/helper', {
      policy: `path "secret/data/compared" { capabilities = ["create", "update"] allowed_parameters = { data = [] text = ["*${text}*"] } }`,
    });
  const client = await helper();
  await permit('needle');
  using searches = vi.spyOn(String.prototype, 'includes');
  const answer = await writtenAfter(
    () => client.write('secret/data/compared', { data: {}, text: 'a needle' }),
    async () => later !== undefined && permit(later),
  );
  expect(answer.status).toBe(status);
  const texts = searches.mock.calls.map(([text]) => text);
  expect(texts.filter((text) => text === 'needle' || text === 'other')).toEqual(compared);
  await admin.delete('secret/metadata/compared');
});

test('the query of a read that is judged for two paths is compared once', async () => {
  const client = await helper();
  await admin.write('sys/policies/acl/helper', {
    policy:
      'path "sys/policies/acl/*" { capabilities = ["read"] allowed_parameters = { text = ["*needle*"] } }',
  });
  using searches = vi.spyOn(String.prototype, 'includes');
  expect((await client.read('sys/policies/acl/Helper?text=needles')).status).toBe(200);
  expect(searches.mock.calls.filter(([text]) => text === 'needle')).toHaveLength(1);
  expect((await client.read('sys/policies/acl/Helper?text=other')).status).toBe(403);
});

test('a policy that could not be stored grants nothing, although a request was judged by it within the transaction', async () => {
  const client = await helper();
  await admin.write('sys/policies/acl/helper', {
    policy: 'path "secret/data/allowed" { capabilities = ["create", "update"] }',
  });
  const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')?.value as (
    text: string,
  ) => void;
  let isFull = true;
  using _ = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
    if (isFull && text === 'COMMIT') {
      isFull = false;
      throw new Error('the disk is full');
    }
    exec.call(this, text);
  });
  let stored: WireAnswer | undefined;
  await writtenAfter(
    () => client.write('secret/data/allowed', { data: {} }),
    async () => (stored = await admin.write('sys/policies/acl/helper', { policy: everything })),
  );
  expect(stored?.status).toBe(503);
  expect((await client.read('secret/data/allowed')).status).toBe(403);
});

test('a request completes what it has begun, although its first write takes its right away', async () => {
  const client = await helper();
  for (let count = 0; count < 3; count += 1) await tokenWith(client, { policies: ['helper'] });
  const accessors = async (): Promise<unknown> => (await admin.list('auth/token/accessors')).data['keys'];
  const before = (await accessors()) as readonly string[];
  expect((await client.write('auth/token/revoke-self')).status).toBe(204);
  // The tokens are removed in another write than the first, which ends this one.
  expect(await accessors()).toHaveLength(before.length - 4);
});

describe('a list that is read when', () => {
  const large = `${everything}\n${'path "other" { capabilities = ["read"] }\n'.repeat(1_000)}`;
  /** Reads the list of policies, and does something before its names are read. */
  const listWhile = async (client: Client, other: () => Promise<unknown>): Promise<WireAnswer> => {
    // Compiles the policies.
    expect((await client.list('sys/policies/acl')).status).toBe(200);
    const held = holdNextSlice(1);
    const answer = client.list('sys/policies/acl');
    const release = await held;
    await other();
    release();
    return answer;
  };

  test.each([
    ['its token is revoked', (token: string) => admin.write('auth/token/revoke', { token })],
    ['its token expires', () => Promise.resolve(server.clock.advance(31 * 60_000))],
    ['its policy is deleted', () => admin.delete('sys/policies/acl/helper')],
    [
      'its policy is changed',
      () => admin.write('sys/policies/acl/helper', { policy: 'path "secret/data/kept" {}' }),
    ],
  ])('%s ends', async (_, lose) => {
    const client = await helper({ ttl: '30m' });
    const { status, body } = await listWhile(client, () => lose(client.token ?? ''));
    expect([status, body['errors']]).toEqual([403, ['permission denied']]);
  });

  test('its account is disabled ends', async () => {
    const roles = { secrets: 'administrator' } as const;
    const account = await server.accounts.create({ loginName: 'lister', password: testPassword, roles });
    const client = server.with(tokenOf(await signIn(server, 'lister')));
    const disable = () => server.accounts.update(account.id, account.version, { disabled: true });
    expect((await listWhile(client, disable)).status).toBe(403);
  });

  test('its policy is replaced by a large one that allows it continues', async () => {
    const client = await helper();
    const replace = () => admin.write('sys/policies/acl/helper', { policy: large });
    expect((await listWhile(client, replace)).status).toBe(200);
  });

  test.each([
    ['it is the last use of its token', 2, () => Promise.resolve()],
    ['a later use is the last of its token', 3, (client: Client) => client.read('auth/token/lookup-self')],
  ])('%s continues', async (_, uses, use) => {
    const client = await helper({ num_uses: uses });
    expect((await listWhile(client, () => use(client))).status).toBe(200);
    expect((await client.list('sys/policies/acl')).status).toBe(403);
  });
});
