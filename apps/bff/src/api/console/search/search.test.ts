import { startServer as startBoxes } from '@gatehouse/box-registry/testing/server';
import { startServer as startModules } from '@gatehouse/module-registry/testing/server';
import { as } from '@gatehouse/secrets-server/testing/people';
import { startServer as startSecrets, testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';
import { linesOf } from '#test/secrets.ts';

const stack = new AsyncDisposableStack();
let embedded: EmbeddedConsole;
let page: Browser;

beforeAll(async () => {
  const [secrets, boxes, modules] = [
    stack.use(await startSecrets()),
    stack.use(await startBoxes()),
    stack.use(await startModules()),
  ];
  const at = ({ port }: { readonly port: number }) =>
    ({ kind: 'url', url: new URL(`http://127.0.0.1:${port}`) }) as const;
  embedded = await startEmbedded({ secrets: at(secrets), boxes: at(boxes), modules: at(modules) });
  stack.defer(() => embedded.close());
  page = await embedded.signedIn();
  for (const service of ['secrets', 'boxes', 'modules']) {
    const credentials = { method: 'password', login_name: 'admin', password: testPassword };
    const answer = await page.send('POST', `/api/environments/test/connections/${service}`, {
      body: { credentials },
    });
    expect([service, answer.status, answer.text]).toEqual([service, 200, answer.text]);
  }
  const vault = await as(secrets, 'administrator');
  await vault.write('secret/data/commerce/orders-db', { data: { password: 'never shown' } });
  await vault.write('secret/data/commerce/shipping', { data: { orders: 'a value is not searched' } });
  const registry = await boxes.as('administrator');
  await registry.post('/api/v1/boxes', { name: 'orders-lab', short_description: 'for tests of orders' });
  const controller = await embedded.controller.as('administrator');
  const target = {
    type: 'tcp',
    scope_id: 'p_1234567890',
    name: 'pg-1',
    description: 'The orders database',
    address: 'pg.orders.internal',
    attributes: { default_port: 5432 },
  };
  expect((await controller.post('/v1/targets', target)).status).toBe(200);
  const catalog = await controller.post('/v1/host-catalogs', {
    type: 'static',
    scope_id: 'p_1234567890',
    name: 'Racks',
  });
  const host = {
    type: 'static',
    host_catalog_id: catalog.body['id'],
    name: 'h-1',
    attributes: { address: 'orders-1.internal' },
  };
  expect((await controller.post('/v1/hosts', host)).status).toBe(200);
  const store = await controller.post('/v1/credential-stores', {
    type: 'static',
    scope_id: 'p_1234567890',
    name: 'Logins',
  });
  const credential = {
    type: 'username_password',
    credential_store_id: store.body['id'],
    name: 'orders-login',
    attributes: { username: 'orders', password: 'never shown' },
  };
  expect((await controller.post('/v1/credentials', credential)).status).toBe(200);
});
afterAll(() => stack.disposeAsync());

async function search(text: string, one = page) {
  const answer = await one.send('GET', `/api/environments/test/search?text=${encodeURIComponent(text)}`);
  expect(answer.status).toBe(200);
  return linesOf(answer);
}

const found = (lines: readonly Record<string, unknown>[]) =>
  lines
    .flatMap(({ kind, what, name }) => (kind === 'found' ? [`${String(what)} ${String(name)}`] : []))
    .toSorted();

test('finds records of every service by name, address, description and path, and never by a value', async () => {
  const lines = await search('Orders');
  expect(found(lines)).toEqual([
    'box admin/orders-lab',
    'credential orders-login',
    'host h-1',
    'secret orders-db',
    'target pg-1',
  ]);
  expect(lines.every(({ kind }) => kind === 'found')).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('never shown');
});

test('finds records that have every word, in any order', async () => {
  expect(found(await search('db commerce'))).toEqual(['secret orders-db']);
  expect(found(await search('orders database'))).toEqual(['target pg-1']);
  expect(found(await search('read reader'))).toEqual([]);
});

test('finds people by their login name', async () => {
  expect(found(await search('operator'))).toContain('person operator');
});

test('says which kinds were not searched, and finds the others', async () => {
  const reader = await embedded.signedIn('read-only');
  for (const service of ['secrets', 'boxes', 'modules'])
    await reader.send('DELETE', `/api/environments/test/connections/${service}`);
  const lines = await search('orders', reader);
  expect(found(lines)).toEqual(['credential orders-login', 'host h-1', 'target pg-1']);
  expect(lines.filter(({ kind }) => kind === 'unsearched')).toEqual(
    expect.arrayContaining([
      { kind: 'unsearched', service: 'secrets', what: ['secret'], code: 'not-connected' },
      { kind: 'unsearched', service: 'boxes', what: ['box'], code: 'not-connected' },
      { kind: 'unsearched', service: 'modules', what: ['module'], code: 'not-connected' },
    ]),
  );
});

test('refuses an empty search, one of 201 characters and one of 9 words', async () => {
  for (const text of ['', '  ', 'x'.repeat(201), 'a b c d e f g h i']) {
    const answer = await page.send('GET', `/api/environments/test/search?text=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(400);
  }
});
