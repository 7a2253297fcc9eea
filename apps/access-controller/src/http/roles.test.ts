import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Role } from '@gatehouse/service-kit/accounts';
import { WriteQueue, currentAsker } from '@gatehouse/service-kit/write-queue';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { itemsOf, signIn, startController, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import type { ForeignServer } from '../testing/foreign-server.ts';
import { routes } from './routes.ts';

const project = 'p_1234567890';
const roles = ['administrator', 'operator', 'read-only', null] as const;
let controller: TestController;
let administrator: Client;
const clients = new Map<Role | null, Client>();
let names = 0;

beforeAll(async () => {
  controller = await startController();
  for (const role of roles) clients.set(role, await controller.as(role));
  administrator = await controller.as('administrator');
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await foreign[Symbol.asyncDispose]();
});

const newTarget = (): Record<string, unknown> => ({ scope_id: project, type: 'ssh', name: `t${++names}` });
const newScope = (): Record<string, unknown> => ({ scope_id: 'global', name: `o${++names}` });
const newUser = (): Record<string, unknown> => ({ login_name: `user-${++names}`, password: 'correct horse' });
const created = async (path: string, body: unknown): Promise<string> =>
  textOf((await administrator.post(path, body)).body, 'id');

const targets = { administrator: 200, operator: 200, 'read-only': 403 } as const;
const scopes = { administrator: 200, operator: 403, 'read-only': 403 } as const;
const reads = { administrator: 200, operator: 200, 'read-only': 200 } as const;

const others = { administrator: 200, operator: 403, 'read-only': 403 } as const;

let store = '';
let foreign: ForeignServer;
let vaultStore = '';
beforeAll(async () => {
  foreign = await startForeignServer();
  vaultStore = await created('/v1/credential-stores', newVaultStore());
  store = await created('/v1/credential-stores', { scope_id: project, type: 'static' });
});
const inScope = (): string => `scope_id=${project}`;
const inCatalog = (): string => 'host_catalog_id=hcst_1234567890';
const newCredential = (): Record<string, unknown> => ({
  credential_store_id: store,
  type: 'password',
  attributes: { password: 'secret' },
});
const newVaultStore = (): Record<string, unknown> => ({
  scope_id: project,
  type: 'vault',
  attributes: { address: foreign.url, token: 'a-token' },
});
const newLibrary = (): Record<string, unknown> => ({
  credential_store_id: vaultStore,
  type: 'vault-generic',
  attributes: { path: 'secret/data/x' },
});
const kindsOfSources = [
  ['host-catalogs', inScope, () => ({ scope_id: project, type: 'static' })],
  ['host-sets', inCatalog, () => ({ host_catalog_id: 'hcst_1234567890' })],
  ['hosts', inCatalog, () => ({ host_catalog_id: 'hcst_1234567890', attributes: { address: '10.0.0.1' } })],
  ['credential-stores', inScope, () => ({ scope_id: project, type: 'static' })],
  ['credentials', () => `credential_store_id=${store}`, newCredential],
  ['credential-stores', inScope, newVaultStore],
  ['credential-libraries', () => `credential_store_id=${vaultStore}`, newLibrary],
] as const;

/** Creates a target and a source, added to it or not. */
async function linkedTarget(
  kind: string,
  linked: boolean,
): Promise<readonly [{ readonly id: string; readonly version: number }, string]> {
  const id = await created('/v1/targets', newTarget());
  const source = kind === 'host' ? 'hsst_1234567890' : await created('/v1/credentials', newCredential());
  if (linked) {
    await administrator.post(`/v1/targets/${id}:add-${kind}-sources`, {
      version: 1,
      host_source_ids: [source],
      brokered_credential_source_ids: [source],
    });
  }
  return [{ id, version: linked ? 2 : 1 }, source];
}

/** Creates a session of one of the administrators. */
async function session(): Promise<string> {
  const answer = await administrator.post('/v1/targets/ttcp_1234567890:authorize-session', {});
  return textOf(answer.body, 'session_id');
}

type Attempt = (client: Client) => Promise<Answer>;
const operations: readonly (readonly [string, Readonly<Record<Role, number>>, Attempt])[] = [
  ['list targets', reads, (client) => client.get(`/v1/targets?scope_id=${project}`)],
  ['read a target', reads, (client) => client.get('/v1/targets/ttcp_1234567890')],
  ['create a target', targets, (client) => client.post('/v1/targets', newTarget())],
  [
    'change a target',
    targets,
    async (client) =>
      client.patch(`/v1/targets/${await created('/v1/targets', newTarget())}`, {
        version: 1,
        description: 'x',
      }),
  ],
  [
    'delete a target',
    { administrator: 204, operator: 204, 'read-only': 403 },
    async (client) => client.delete(`/v1/targets/${await created('/v1/targets', newTarget())}`),
  ],
  ['list scopes', reads, (client) => client.get('/v1/scopes?scope_id=global')],
  ['read a scope', reads, (client) => client.get('/v1/scopes/global')],
  ['create a scope', scopes, (client) => client.post('/v1/scopes', newScope())],
  [
    'change a scope',
    scopes,
    async (client) =>
      client.patch(`/v1/scopes/${await created('/v1/scopes', newScope())}`, { version: 1, description: 'x' }),
  ],
  [
    'delete a scope',
    { administrator: 204, operator: 403, 'read-only': 403 },
    async (client) => client.delete(`/v1/scopes/${await created('/v1/scopes', newScope())}`),
  ],
  ...['host', 'credential'].flatMap((kind) =>
    ['add', 'set', 'remove'].map(
      (verb) =>
        [
          `${verb} ${kind} sources`,
          { administrator: 200, operator: 200, 'read-only': 403 },
          async (client: Client) => {
            const [target, source] = await linkedTarget(kind, verb === 'remove');
            return client.post(`/v1/targets/${target.id}:${verb}-${kind}-sources`, {
              version: target.version,
              [kind === 'host' ? 'host_source_ids' : 'brokered_credential_source_ids']: [source],
            });
          },
        ] as const,
    ),
  ),
  [
    'authorize a session',
    targets,
    (client) => client.post('/v1/targets/ttcp_1234567890:authorize-session', {}),
  ],
  ...kindsOfSources.flatMap(([path, container, body]) => [
    [`list ${path}`, reads, (client: Client) => client.get(`/v1/${path}?${container()}`)] as const,
    [
      `read one of ${path}`,
      reads,
      async (client: Client) => client.get(`/v1/${path}/${await created(`/v1/${path}`, body())}`),
    ] as const,
    [`create one of ${path}`, targets, (client: Client) => client.post(`/v1/${path}`, body())] as const,
    [
      `change one of ${path}`,
      targets,
      async (client: Client) =>
        client.patch(`/v1/${path}/${await created(`/v1/${path}`, body())}`, { version: 1, description: 'x' }),
    ] as const,
    [
      `delete one of ${path}`,
      { administrator: 204, operator: 204, 'read-only': 403 },
      async (client: Client) => client.delete(`/v1/${path}/${await created(`/v1/${path}`, body())}`),
    ] as const,
  ]),
  ...['add', 'set', 'remove'].map(
    (verb) =>
      [
        `${verb} hosts of a set`,
        targets,
        async (client: Client) => {
          const id = await created('/v1/host-sets', { host_catalog_id: 'hcst_1234567890' });
          const path = `/v1/host-sets/${id}`;
          const host_ids = ['hst_1234567890'];
          if (verb === 'remove') await administrator.post(`${path}:add-hosts`, { version: 1, host_ids });
          return client.post(`${path}:${verb}-hosts`, { version: verb === 'remove' ? 2 : 1, host_ids });
        },
      ] as const,
  ),
  ['list sessions', reads, (client) => client.get(`/v1/sessions?scope_id=${project}`)],
  ["read another person's session", others, async (client) => client.get(`/v1/sessions/${await session()}`)],
  [
    "cancel another person's session",
    others,
    async (client) => client.post(`/v1/sessions/${await session()}:cancel`, { version: 1 }),
  ],
  ['list users', reads, (client) => client.get('/v1/users?scope_id=global')],
  ['read a user', reads, (client) => client.get('/v1/users/u_1234567890')],
  ['create a user', scopes, (client) => client.post('/v1/users', newUser())],
  [
    'change a user',
    scopes,
    async (client) =>
      client.patch(`/v1/users/${await created('/v1/users', newUser())}`, { version: 1, email: 'x' }),
  ],
  [
    'delete a user',
    { administrator: 204, operator: 403, 'read-only': 403 },
    async (client) => client.delete(`/v1/users/${await created('/v1/users', newUser())}`),
  ],
  ['list accounts', reads, (client) => client.get('/v1/accounts?auth_method_id=ampw_1234567890')],
  ['read an account', reads, (client) => client.get('/v1/accounts/acctpw_1234567890')],
  [
    'set a password',
    scopes,
    async (client) => {
      const id = (await created('/v1/users', newUser())).slice(2);
      return client.post(`/v1/accounts/acctpw_${id}:set-password`, { version: 1, password: 'new password' });
    },
  ],
  [
    "change another person's password",
    { administrator: 403, operator: 403, 'read-only': 403 },
    async (client) => {
      const id = (await created('/v1/users', newUser())).slice(2);
      const body = { version: 1, current_password: 'correct horse', new_password: 'new password' };
      return client.post(`/v1/accounts/acctpw_${id}:change-password`, body);
    },
  ],
  ['read the auth method', reads, (client) => client.get('/v1/auth-methods/ampw_1234567890')],
  ['list tokens', reads, (client) => client.get('/v1/auth-tokens?scope_id=global')],
];

describe.each(operations)('permission to %s', (_what, allowed, attempt) => {
  test.each(roles)('as %s', async (role) => {
    const client = clients.get(role);
    if (client === undefined) throw new Error('no client');
    const answer = await attempt(client);
    expect(answer.status).toBe(role === null ? 403 : allowed[role]);
    if (answer.status === 403)
      expect(answer.body).toEqual({ kind: 'PermissionDenied', message: 'Forbidden.' });
  });

  test('without a token', async () => {
    const answer = await attempt(controller.anonymous);
    expect(answer).toMatchObject({
      status: 401,
      body: { kind: 'Unauthenticated', message: 'Unauthenticated, or invalid token.' },
    });
  });
});

const reading = ['no-op', 'read'];
const writing = [...reading, 'update', 'delete'];
const sourceVerbs = ['host', 'credential'].flatMap((kind) =>
  ['add', 'set', 'remove'].map((verb) => `${verb}-${kind}-sources`),
);

describe('a right that is lost while the write waits', () => {
  const password = 'correct horse';
  let losing: string;
  let client: Client;
  beforeAll(async () => {
    const roles = { access: 'administrator' } as const;
    losing = (await controller.accounts.create({ loginName: 'losing', password, roles })).id;
    client = await signIn({ address: controller.url }, 'losing');
  });

  const written: typeof operations = [
    ...operations.filter(([what]) => !/^(?:list|read|change another)/.test(what)),
    [
      'get it back',
      others,
      (client) => client.patch(`/v1/users/${losing}`, { version: 1, roles: { access: 'administrator' } }),
    ],
  ];
  test.each(written)("doesn't allow to %s", async (_what, _allowed, attempt) => {
    using accounts = new DatabaseSync(join(controller.dataDir, 'accounts.db'));
    const become = (role: string): void => {
      accounts.prepare('UPDATE account SET role_access = ? WHERE id = ?').run(role, losing);
    };
    become('administrator');
    const add = Object.getOwnPropertyDescriptor(WriteQueue.prototype, 'add')?.value as (
      write: unknown,
    ) => void;
    const lost = vi.spyOn(WriteQueue.prototype, 'add').mockImplementation(function (
      this: WriteQueue<unknown>,
      write,
    ) {
      if (currentAsker() === losing) become('read-only');
      add.call(this, write);
    });
    try {
      expect(await attempt(client)).toMatchObject({ status: 403, body: { message: 'Forbidden.' } });
    } finally {
      lost.mockRestore();
    }
    expect(controller.accounts.get(losing)?.roles.access).toBe('read-only');
  });
});

describe('authorized actions', () => {
  test.each([
    [
      'administrator',
      [...writing, ...sourceVerbs, 'authorize-session'],
      ['create', 'list'],
      writing,
      ['create', 'list'],
    ],
    ['operator', [...writing, ...sourceVerbs, 'authorize-session'], ['create', 'list'], reading, ['list']],
    ['read-only', reading, ['list'], reading, ['list']],
  ] as const)('of %s', async (role, onTarget, inProject, onScope, inScopes) => {
    const client = clients.get(role);
    if (client === undefined) throw new Error('no client');
    expect((await client.get('/v1/targets/ttcp_1234567890')).body['authorized_actions']).toEqual(onTarget);
    const scope = (await client.get(`/v1/scopes/${project}`)).body;
    expect(scope['authorized_actions']).toEqual(onScope);
    expect(scope['authorized_collection_actions']).toEqual({
      'credential-stores': inProject,
      'host-catalogs': inProject,
      sessions: ['list'],
      targets: inProject,
    });
    const global = (await client.get('/v1/scopes/global')).body;
    expect(global['authorized_actions']).toEqual(onScope.filter((action) => action !== 'delete'));
    expect(global['authorized_collection_actions']).toEqual({
      'auth-methods': ['list'],
      'auth-tokens': ['list'],
      scopes: inScopes,
      users: inScopes,
    });
    for (const item of itemsOf(await client.get('/v1/users?scope_id=global'))) {
      const first = item['id'] === 'u_1234567890';
      expect(item['authorized_actions']).toEqual(onScope.filter((action) => action !== 'delete' || !first));
    }
    expect(
      (await client.get('/v1/auth-methods/ampw_1234567890')).body['authorized_collection_actions'],
    ).toEqual({
      accounts: ['list'],
    });
  });
});

test('a changed role applies from the next request on', async () => {
  const account = await controller.accounts.create({
    loginName: 'changing',
    password: 'correct horse',
    roles: { access: 'read-only' },
  });
  const client = await signIn({ address: controller.url }, 'changing');
  expect((await client.post('/v1/targets', newTarget())).status).toBe(403);
  const promoted = await controller.accounts.update(account.id, account.version, {
    roles: { access: 'operator' },
  });
  expect((await client.post('/v1/targets', newTarget())).status).toBe(200);
  await controller.accounts.update(account.id, promoted.version, { roles: { access: null } });
  expect((await client.get(`/v1/targets?scope_id=${project}`)).status).toBe(403);
});

const ids: Readonly<Record<string, string>> = {
  'auth-methods': 'ampw_1234567890',
  'auth-tokens': 'at_1234567890',
  scopes: project,
  users: 'u_1234567890',
  accounts: 'acctpw_1234567890',
  targets: 'ttcp_1234567890',
  'host-catalogs': 'hcst_1234567890',
  'host-sets': 'hsst_1234567890',
  hosts: 'hst_1234567890',
  'credential-stores': 'csst_1234567890',
  credentials: 'credup_1234567890',
  'credential-libraries': 'clvlt_1234567890',
  sessions: 's_1234567890',
};
/** All routes except the two for signing in, each with a well-formed ID. */
const guarded = routes.flatMap(({ path, methods }) =>
  path.endsWith(':authenticate') || path === '/v1/auth-methods'
    ? []
    : Object.keys(methods).map((method) => {
        const id = ids[path.split(/[/:\\]/)[2] ?? ''] ?? '';
        return [method, path.replaceAll('\\', '').replace(':id', id)] as const;
      }),
);
const writes = guarded.filter(([method]) => method !== 'GET');

test.each([
  ['a stranger', () => controller.anonymous, guarded, 401],
  ['a user without a role', () => clients.get(null), guarded, 403],
  ['a user who may only read', () => clients.get('read-only'), writes, 403],
] as const)('refuses %s, whatever the request contains', async (_who, client, walked, status) => {
  for (const [method, path] of walked) {
    for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [[], {}, { version: 'x' }]) {
      expect([method, path, (await client()?.send(method, path, body))?.status]).toEqual([
        method,
        path,
        status,
      ]);
    }
  }
});
