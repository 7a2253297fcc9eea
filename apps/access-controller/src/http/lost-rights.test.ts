import type { Account } from '@gatehouse/service-kit/accounts';
import { holdNextSlice } from '@gatehouse/service-kit/testing/held-slice';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLifetimes } from '../domain/auth-token.ts';
import { itemsOf, signIn, startController, testPassword, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController } from '../testing/controller.ts';

let controller: TestController;
let admin: Client;
let store: string;
let users = 0;
beforeAll(async () => {
  controller = await startController();
  admin = await controller.as('administrator');
  store = await created('credential-stores', { scope_id: project, type: 'static' });
});
afterAll(() => controller[Symbol.asyncDispose]());

const project = 'p_1234567890';
const created = async (path: string, body: unknown): Promise<string> =>
  textOf((await admin.post(`/v1/${path}`, body)).body, 'id');

/** A user who can do this, and their client. */
async function user(access: 'administrator' | 'read-only') {
  const loginName = `user-${++users}`;
  const account = await controller.accounts.create({ loginName, password: testPassword, roles: { access } });
  return { account, client: await signIn({ address: controller.url }, loginName) };
}

const change = (
  { id, version }: Account,
  to: Parameters<TestController['accounts']['update']>[2],
): Promise<unknown> => controller.accounts.update(id, version, to);

/** What happens while the list is read, and the status of the answer to it and to later requests. */
const losses: readonly (readonly [
  what: string,
  status: number,
  lose: (account: Account, client: Client) => Promise<unknown>,
])[] = [
  ['whose role is removed', 403, (account) => change(account, { roles: { access: null } })],
  ['whose account is disabled', 401, (account) => change(account, { disabled: true })],
  ['whose account is deleted', 401, ({ id }) => controller.accounts.remove(id)],
  ['whose password is changed', 401, ({ id }) => controller.accounts.setPassword(id, 'another password')],
  [
    'who signs out',
    401,
    async (_, client) => {
      const [token] = itemsOf(await client.get('/v1/auth-tokens?scope_id=global'));
      return client.delete(`/v1/auth-tokens/${String(token?.['id'])}`);
    },
  ],
  [
    'whose token expires',
    401,
    async () => {
      controller.clock.advance(defaultLifetimes.timeToLive);
      admin = await controller.as('administrator');
    },
  ],
];

/** Reads a list, and does something while it is read. */
async function listWhile(client: Client, path: string, other: () => Promise<unknown>): Promise<Answer> {
  const held = holdNextSlice();
  const answer = client.get(`/v1/${path}&filter=${encodeURIComponent('"/item/id" != ""')}`);
  const release = await held;
  await other();
  release();
  return answer;
}

test.each(losses)('a list ends for a user %s', async (_, status, lose) => {
  const { account, client } = await user('read-only');
  const target = await created('targets', { scope_id: project, type: 'ssh', name: account.loginName });
  const path = `targets?scope_id=${project}`;
  const answer = await listWhile(client, path, async () => {
    await lose(account, client);
    await admin.patch(`/v1/targets/${target}`, { version: 1, description: 'changed later' });
  });
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual((await client.get(`/v1/${path}`)).body);
});

test.each([
  'auth-tokens?scope_id=global',
  'scopes?scope_id=global',
  'users?scope_id=global',
  'accounts?auth_method_id=ampw_1234567890',
  'targets?scope_id=global&recursive=true',
  `host-catalogs?scope_id=${project}`,
  'host-sets?host_catalog_id=hcst_1234567890',
  'hosts?host_catalog_id=hcst_1234567890',
  `credential-stores?scope_id=${project}`,
  'credentials?credential_store_id=',
  `sessions?scope_id=${project}`,
])('%s ends for a user whose account is disabled', async (path) => {
  const { account, client } = await user('read-only');
  const of = path.endsWith('credential_store_id=') ? path + store : path;
  expect((await client.get(`/v1/${of}`)).status).toBe(200);
  expect((await listWhile(client, of, () => change(account, { disabled: true }))).status).toBe(401);
});

test.each(['auth-tokens?scope_id=global', `sessions?scope_id=${project}`])(
  "everybody's %s end for an administrator who may now only list their own",
  async (path) => {
    const { account, client } = await user('administrator');
    const roles = { access: 'read-only' } as const;
    expect((await listWhile(client, path, () => change(account, { roles }))).status).toBe(403);
    expect((await client.get(`/v1/${path}`)).status).toBe(200);
  },
);

test('a list continues for a user whose role still allows it', async () => {
  const { account, client } = await user('administrator');
  const roles = { access: 'read-only' } as const;
  const path = `targets?scope_id=${project}`;
  expect((await listWhile(client, path, () => change(account, { roles }))).status).toBe(200);
});
