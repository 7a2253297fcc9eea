import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { as, authOf, signIn } from '@gatehouse/secrets-server/testing/people';
import { startServer } from '@gatehouse/secrets-server/testing/server';
import { expect, test } from 'vitest';
import { confirmAs, signInAs, startConsole } from '#test/console.ts';
import { faultProxy } from '#test/fault-proxy.ts';

const people = '/api/environments/test/access/people';

/** A console with a secrets server that has its own accounts. */
async function start() {
  const controller = await startController();
  const server = await startServer();
  const proxy = await faultProxy(server.port);
  const console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    secrets: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
    clock: controller.clock,
  });
  const page = console.browser();
  await signInAs(page, 'admin', testPassword);
  await confirmAs(page, testPassword);
  const { items } = (await page.send('GET', people)).json;
  const idOf = (name: string) =>
    (items as { id: string; login_name: string }[]).find((one) => one.login_name === name)?.id ?? '';
  return {
    controller,
    server,
    proxy,
    console,
    page,
    idOf,
    async [Symbol.asyncDispose]() {
      await console.close();
      await proxy.close();
      await server[Symbol.asyncDispose]();
      await controller[Symbol.asyncDispose]();
    },
  };
}

test('tokens of a login name are listed without values, and revoked by a lock-out', async () => {
  await using live = await start();
  const { server, page, idOf } = live;
  const tokens = `${people}/${idOf('operator')}/tokens`;
  const [mine, others] = [await signIn(server, 'operator'), await signIn(server, 'read-only')].map(authOf);
  // Its metadata names the operator, but it was created in another way.
  const admin = await as(server, 'administrator');
  const made = await admin.write('auth/token/create', { meta: { username: 'operator' } });
  const answer = await page.send('GET', tokens);
  expect(answer.json).toEqual({
    tokens: [
      { accessor: mine?.['accessor'], created_time: expect.any(String), expire_time: expect.any(String) },
    ],
    unread: 0,
  });
  expect(answer.text).not.toContain(mine?.['client_token']);
  const locked = await page.send('POST', `${people}/${idOf('operator')}/lock-out`);
  expect(locked.json['steps']).toContainEqual({
    is_done: true,
    count: 1,
    words: '1 token at the secrets server revoked.',
  });
  const { items } = (await page.send('GET', '/api/environments/test/activity?action=person.lock-out')).json;
  expect(items).toMatchObject([{ paths: ['ended-sessions=0', 'cancelled-sessions=0', 'revoked-tokens=1'] }]);
  expect((await page.send('GET', tokens)).json).toEqual({ tokens: [], unread: 0 });
  const statusOf = async (token: unknown) =>
    (await server.with(String(token)).read('auth/token/lookup-self')).status;
  expect(await statusOf(mine?.['client_token'])).toBe(403);
  expect(await statusOf(others?.['client_token'])).toBe(200);
  expect(await statusOf(authOf(made)['client_token'])).toBe(200);
});

test('tokens of a login name that the server spells otherwise are revoked too', async () => {
  await using live = await start();
  const { server, page, idOf } = live;
  const id = idOf('read-only');
  const { revision } = (await page.send('GET', `${people}/${id}`)).json;
  await page.send('DELETE', `${people}/${id}`, { revision: String(revision) });
  const body = { login_name: 'Read-Only', password: testPassword, roles: { access: 'read-only' } };
  const created = await page.send('POST', people, { body });
  expect(created.status, created.text).toBe(200);
  const token = authOf(await signIn(server, 'read-only'))['client_token'];
  const locked = await page.send('POST', `${people}/${String(created.json['id'])}/lock-out`);
  expect(locked.json['steps']).toContainEqual(expect.objectContaining({ count: 1, is_done: true }));
  expect((await server.with(String(token)).read('auth/token/lookup-self')).status).toBe(403);
});

test('a lock-out reports tokens that it must not list, and keeps those of your own account', async () => {
  await using live = await start();
  const { page, console, controller, idOf } = live;
  const id = idOf('operator');
  const connect = (login_name: string, by = page) =>
    by.send('POST', '/api/environments/test/connections/secrets', {
      body: { credentials: { method: 'password', login_name, password: testPassword } },
    });
  await page.send('DELETE', '/api/environments/test/connections/secrets');
  expect((await connect('read-only')).status).toBe(200);
  expect((await page.send('GET', `${people}/${id}/tokens`)).json).toEqual({ tokens: null, unread: 0 });
  const lockOut = async () => (await page.send('POST', `${people}/${id}/lock-out`)).json['steps'];
  expect(await lockOut()).toContainEqual({
    is_done: true,
    count: 0,
    words: expect.stringContaining("aren't allowed to list them"),
  });
  const second = console.browser();
  await controller.accounts.create({
    loginName: 'second',
    password: testPassword,
    roles: { access: 'administrator' },
  });
  await signInAs(second, 'second', testPassword);
  await confirmAs(second, testPassword);
  await connect('admin', second);
  const ofAdmin = await second.send('POST', `${people}/${idOf('admin')}/lock-out`);
  expect(ofAdmin.json['steps']).toContainEqual({
    is_done: true,
    count: 0,
    words: expect.stringContaining('Your own account'),
  });
  expect((await second.send('GET', `${people}/${idOf('admin')}/tokens`)).json['tokens']).toHaveLength(1);
});

test('a token that ends during the search is left out', async () => {
  await using live = await start();
  const { server, page, proxy, idOf } = live;
  const { accessor } = authOf(await signIn(server, 'operator'));
  const admin = await as(server, 'administrator');
  let isFirst = true;
  proxy.onRequest = (bytes) => {
    if (!isFirst || !bytes.includes('lookup-accessor')) return undefined;
    isFirst = false;
    return admin.write('auth/token/revoke-accessor', { accessor });
  };
  expect((await page.send('GET', `${people}/${idOf('operator')}/tokens`)).json).toEqual({
    tokens: [],
    unread: 0,
  });
  expect(isFirst).toBe(false);
});
