import type { Role } from '@gatehouse/service-kit/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemsOf, startController, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController } from '../testing/controller.ts';
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
afterAll(() => controller[Symbol.asyncDispose]());

const newTarget = (): Record<string, unknown> => ({ scope_id: project, type: 'ssh', name: `t${++names}` });
const newScope = (): Record<string, unknown> => ({ scope_id: 'global', name: `o${++names}` });
const created = async (path: string, body: unknown): Promise<string> =>
  textOf((await administrator.post(path, body)).body, 'id');

const targets = { administrator: 200, operator: 200, 'read-only': 403 } as const;
const scopes = { administrator: 200, operator: 403, 'read-only': 403 } as const;
const reads = { administrator: 200, operator: 200, 'read-only': 200 } as const;

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
  ['list users', reads, (client) => client.get('/v1/users?scope_id=global')],
  ['read a user', reads, (client) => client.get('/v1/users/u_1234567890')],
  ['read the auth method', reads, (client) => client.get('/v1/auth-methods/ampw_1234567890')],
  ['list tokens', reads, (client) => client.get('/v1/auth-tokens?scope_id=global')],
];

describe.each(operations)('to %s', (_what, allowed, attempt) => {
  test.each(roles)('as %s', async (role) => {
    const client = clients.get(role);
    if (client === undefined) throw new Error('no client');
    const answer = await attempt(client);
    expect(answer.status).toBe(role === null ? 403 : allowed[role]);
    if (answer.status === 403)
      expect(answer.body).toEqual({ kind: 'PermissionDenied', message: 'Forbidden.' });
  });

  test('as nobody, or with a token of no one', async () => {
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

describe('authorized actions', () => {
  test.each([
    ['administrator', [...writing, ...sourceVerbs], ['create', 'list'], writing, ['create', 'list']],
    ['operator', [...writing, ...sourceVerbs], ['create', 'list'], reading, ['list']],
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
      targets: inProject,
    });
    const global = (await client.get('/v1/scopes/global')).body;
    expect(global['authorized_actions']).toEqual(onScope.filter((action) => action !== 'delete'));
    expect(global['authorized_collection_actions']).toEqual({
      'auth-methods': ['list'],
      'auth-tokens': ['list'],
      scopes: inScopes,
      users: ['list'],
    });
    for (const item of itemsOf(await client.get('/v1/users?scope_id=global'))) {
      expect(item['authorized_actions']).toEqual(['no-op', 'read']);
    }
  });
});

test('a role that changes counts from the next request on', async () => {
  const account = await controller.accounts.create({
    loginName: 'changing',
    password: 'correct horse',
    roles: { access: 'read-only' },
  });
  const { signIn } = await import('../testing/controller.ts');
  const client = await signIn({ address: controller.url }, 'changing');
  expect((await client.post('/v1/targets', newTarget())).status).toBe(403);
  const promoted = await controller.accounts.update(account.id, account.version, {
    roles: { access: 'operator' },
  });
  expect((await client.post('/v1/targets', newTarget())).status).toBe(200);
  await controller.accounts.update(account.id, promoted.version, { roles: { access: null } });
  expect((await client.get(`/v1/targets?scope_id=${project}`)).status).toBe(403);
});

test('every route but the two for signing in refuses strangers', async () => {
  for (const { path, methods } of routes) {
    for (const method of Object.keys(methods)) {
      const concrete = path
        .replaceAll('\\', '')
        .replace(':id', path.includes('targets') ? 'ttcp_1234567890' : 'u_1234567890');
      const answer = await controller.anonymous.send(
        method,
        concrete,
        method === 'GET' || method === 'DELETE' ? undefined : {},
      );
      const open = path.endsWith(':authenticate') || path === '/v1/auth-methods';
      expect([method, path, answer.status]).toEqual([method, path, open ? 400 : 401]);
    }
  }
});
