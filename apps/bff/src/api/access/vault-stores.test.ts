import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import type { TestController } from '@gatehouse/access-controller/testing/controller';
import { sessionCredential } from '@gatehouse/api-types/console/access-sessions';
import { credentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import { credential, credentialStore } from '@gatehouse/api-types/console/credential-sources';
import { endpoints } from '@gatehouse/api-types/console/endpoints';
import { target as targetSchema } from '@gatehouse/api-types/console/targets';
import { giveAgainWords } from '@gatehouse/api-types/console/vault-store';
import { as, tokenWith } from '@gatehouse/secrets-server/testing/people';
import { startServer } from '@gatehouse/secrets-server/testing/server';
import type { TestServer } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

const access = '/api/environments/test/access';
let secrets: TestServer;
let admin: Awaited<ReturnType<typeof as>>;
let controller: TestController;
let console: TestConsole;
let page: Browser;
let count = 0;

beforeAll(async () => {
  secrets = await startServer();
  admin = await as(secrets, 'administrator');
  await admin.write('sys/policies/acl/controller', {
    policy: `
      path "sys/leases/*" { capabilities = ["update"] }
      path "secret/data/databases/*" { capabilities = ["read"] }`,
  });
  await admin.write('secret/data/databases/orders', { data: { username: 'orders', password: 'canary' } });
  controller = await startController({ clock: secrets.clock, upkeepMs: 10 });
  console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    secrets: { kind: 'url', url: new URL(secrets.url) },
    clock: secrets.clock,
  });
  page = await signedIn('admin');
});
afterAll(async () => {
  await console.close();
  await controller[Symbol.asyncDispose]();
  await secrets[Symbol.asyncDispose]();
});

async function signedIn(loginName: string): Promise<Browser> {
  const one = console.browser();
  await signInAs(one, loginName, testPassword);
  return one;
}
const newToken = (): Promise<string> =>
  tokenWith(admin, { policies: ['controller'], period: '1h', no_parent: true });
const named = (): string => `record ${++count}`;
async function create<Schema extends z.ZodMiniType>(
  schema: Schema,
  collection: string,
  body: unknown,
): Promise<z.output<Schema>> {
  const answer = await page.send('POST', `${access}/${collection}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return z.parse(schema, answer.json);
}
const newStore = async (attributes: Record<string, unknown> = {}) =>
  create(credentialStore, 'credential-stores', {
    scope_id: 'p_1234567890',
    type: 'vault',
    name: named(),
    attributes: { address: secrets.url, token: await newToken(), ...attributes },
  });
const newLibrary = (store: string, fields: Record<string, unknown> = {}) =>
  create(credentialLibrary, 'credential-libraries', {
    credential_store_id: store,
    type: 'vault-generic',
    name: named(),
    credential_type: 'username_password',
    attributes: { path: 'secret/data/databases/orders' },
    ...fields,
  });
async function targetWith(library: string, kind = 'brokered', type = 'tcp') {
  const made = await create(targetSchema, 'targets', {
    scope_id: 'p_1234567890',
    type,
    name: named(),
    address: '10.0.0.1',
    attributes: { default_port: 22 },
  });
  const linked = await page.send('POST', `${access}/targets/${made.id}/credential-sources`, {
    revision: made.revision,
    body: { action: 'add', [`${kind}_credential_source_ids`]: [library] },
  });
  expect(linked.status, linked.text).toBe(200);
  return z.parse(targetSchema, linked.json);
}
const read = async <Schema extends z.ZodMiniType>(schema: Schema, path: string): Promise<z.output<Schema>> =>
  z.parse(schema, (await page.send('GET', `${access}/${path}`)).json);
const patch = (path: string, revision: string, body: unknown): Promise<BrowserAnswer> =>
  page.send('PATCH', `${access}/${path}`, { revision, body });
const authorize = (target: string): Promise<BrowserAnswer> =>
  page.send('POST', `${access}/targets/${target}/authorize-session`, { body: {} });

test('shows numbers in credentials exactly as they were written', async () => {
  const numbers = {
    id: '368888988598998998',
    f: '4475.3299999999999',
    e: '1e400',
    neg0: '-0',
    one: '1.0',
    list: '[0.10,{"n":9007199254740993}]',
  };
  const text = `{${Object.entries(numbers)
    .map(([name, number]) => `"${name}":${number}`)
    .join(',')}}`;
  await admin.write('secret/data/databases/numbers', `{"data":${text}}`);
  const library = await newLibrary((await newStore()).id, {
    credential_type: '',
    attributes: { path: 'secret/data/databases/numbers' },
  });
  const typed = await newLibrary(library.credential_store_id, {
    attributes: { path: 'secret/data/databases/numbers' },
    credential_mapping_overrides: { username_attribute: 'id', password_attribute: 'one' },
  });
  const statics = await create(credentialStore, 'credential-stores', {
    scope_id: 'p_1234567890',
    type: 'static',
    name: named(),
  });
  const stored = await create(credential, 'credentials', {
    credential_store_id: statics.id,
    type: 'json',
    name: named(),
    attributes: { object: text },
  });
  const told = async (source: string) => {
    const { json } = await authorize((await targetWith(source)).id);
    const [one] = z.parse(z.array(sessionCredential), json['credentials']);
    return { ...one, raw: Buffer.from(one?.secret?.raw ?? '', 'base64').toString() };
  };
  const ofLibrary = await told(library.id);
  expect(ofLibrary.secret?.decoded).toEqual(numbers);
  expect(ofLibrary.raw).toContain(`"data":${text}`);
  const ofStatic = await told(stored.id);
  expect(ofStatic).toMatchObject({ raw: text, credential: numbers, secret: { decoded: numbers } });
  const fieldsOf = async (object: string) => {
    const attributes = { object };
    const fields = { credential_store_id: statics.id, type: 'json', name: named(), attributes };
    return (await told((await create(credential, 'credentials', fields)).id)).secret?.decoded;
  };
  expect(await fieldsOf('{"data":1e400,"metadata":{}}')).toEqual({ data: '1e400', metadata: '{}' });
  // Nested values can be copied individually, including a key of several lines.
  expect(await fieldsOf('{"db":{"port":5432.0,"tls":{"key":"a\\nb"}},"n":null}')).toEqual({
    'db.port': '5432.0',
    'db.tls.key': 'a\nb',
    n: 'null',
  });
  expect(await fieldsOf('{"a":{"b":"1"},"a.b":"2"}')).toEqual({ a: '{"b":"1"}', 'a.b': '2' });
  expect((await told(typed.id)).credential).toEqual({ username: numbers.id, password: numbers.one });
});

test('creates and changes stores and libraries, and reports refusals beside their fields', async () => {
  const store = await newStore();
  expect(store).toMatchObject({
    type: 'vault',
    attributes: { address: secrets.url, token_status: 'current', namespace: '' },
    authorized_collection_actions: { 'credential-libraries': ['create', 'list'] },
  });
  const moved = await patch(`credential-stores/${store.id}`, '1', {
    attributes: { address: 'http://127.0.0.1:1', token: await newToken() },
  });
  expect(moved.json).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'attributes.address', message: expect.stringContaining("can't reach") as string }],
  });
  const followed = await patch(`credential-stores/${store.id}`, '1', {
    attributes: { address: 'http://127.0.0.1:1' },
  });
  expect(followed.json).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'attributes.token', message: giveAgainWords.token }],
  });
  const rotated = await patch(`credential-stores/${store.id}`, '1', {
    attributes: { token: await newToken() },
  });
  const after = z.parse(credentialStore, rotated.json);
  expect(after.revision).toBe('2');
  expect(after.attributes?.token_hmac).not.toBe(store.attributes?.token_hmac);
  const stale = await patch(`credential-stores/${store.id}`, '1', {
    attributes: { token: await newToken() },
  });
  expect(stale.json).toMatchObject({
    code: 'conflict',
    conflict: { reason: 'modified', current: { id: store.id, revision: '2', type: 'vault' } },
  });

  const library = await newLibrary(store.id);
  const changed = await patch(`credential-libraries/${library.id}`, '1', {
    credential_mapping_overrides: { username_attribute: 'login', password_attribute: '' },
    attributes: { http_method: 'POST', http_request_body: '{"ttl":"1h"}' },
  });
  expect(changed.json).toMatchObject({
    revision: '2',
    credential_mapping_overrides: { username_attribute: 'login' },
    attributes: { path: 'secret/data/databases/orders', http_method: 'POST' },
  });
  const cleared = await patch(`credential-libraries/${library.id}`, '2', {
    credential_mapping_overrides: { username_attribute: '' },
  });
  expect(cleared.json).toMatchObject({ credential_mapping_overrides: {} });
  const gone = await page.send('DELETE', `${access}/credential-libraries/${library.id}`, { revision: '3' });
  expect(gone.status).toBe(204);
});

test('pickers offer libraries and credentials', async () => {
  const store = await newStore();
  const library = await newLibrary(store.id, { name: 'a library to pick' });
  const answer = await page.send(
    'GET',
    `${access}/credential-sources?scope_id=p_1234567890&search=library%20to%20pick`,
  );
  expect(answer.json).toEqual({
    items: [
      {
        id: library.id,
        name: 'a library to pick',
        description: '',
        credential_type: 'username_password',
        credential_store_id: store.id,
        credential_store_name: store.name,
        credential_store_type: 'vault',
      },
    ],
    more: false,
  });
});

test('links a target to the secret that its library reads, and the secret to the target', async () => {
  const store = await newStore({ address: secrets.url.replace('127.0.0.1', 'localhost') });
  const library = await newLibrary(store.id);
  const secret = { mount: 'secret', path: 'databases/orders' };
  expect((await read(credentialLibrary, `credential-libraries/${library.id}`)).secret).toEqual(secret);
  const target = await targetWith(library.id, 'injected_application', 'ssh');
  const shown = await read(targetSchema, `targets/${target.id}`);
  // A change returns the same links as a read.
  expect(target).toEqual(shown);
  expect(shown.injected_application_credential_sources).toMatchObject([{ id: library.id, secret }]);
  const using = await read(
    endpoints.credentialLibraries.targetsUsingSecret.response,
    'targets-using-secret?mount=secret&path=databases%2Forders',
  );
  expect(using.items).toContainEqual({
    id: target.id,
    name: target.name,
    type: 'ssh',
    scope: target.scope,
    libraries: [
      {
        id: library.id,
        name: library.name,
        credential_store_id: store.id,
        purpose: 'injected_application',
      },
    ],
  });
  const other = await read(
    endpoints.credentialLibraries.targetsUsingSecret.response,
    'targets-using-secret?mount=secret&path=databases',
  );
  expect(other).toEqual({ items: [], more: false });
});

test("reads each of a target's libraries once per request, and none if the target has none", async () => {
  const store = await newStore();
  const [one, two] = [await newLibrary(store.id), await newLibrary(store.id)];
  const requested: string[] = [];
  const onRequest = (message: unknown): void => {
    const { url = '' } = (message as { readonly request: IncomingMessage }).request;
    const id = /^\/v1\/credential-libraries\/(\w+)/.exec(url)?.[1];
    if (id !== undefined) requested.push(id);
  };
  const target = await targetWith(one.id, 'brokered', 'ssh');
  subscribe('http.server.request.start', onRequest);
  try {
    const body = {
      action: 'add',
      brokered_credential_source_ids: [two.id],
      injected_application_credential_source_ids: [one.id, two.id],
    };
    const { revision } = target;
    await page.send('POST', `${access}/targets/${target.id}/credential-sources`, { revision, body });
    expect(requested.splice(0).toSorted()).toEqual([one.id, two.id].toSorted());
    const shown = await read(targetSchema, `targets/${target.id}`);
    expect(requested.splice(0).toSorted()).toEqual([one.id, two.id].toSorted());
    const secret = { mount: 'secret', path: 'databases/orders' };
    for (const kind of ['brokered', 'injected_application'] as const)
      expect(shown[`${kind}_credential_sources`]).toMatchObject([{ secret }, { secret }]);
    await read(targetSchema, 'targets/ttcp_1234567890');
    expect(requested).toEqual([]);
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
});

test("links a target to the cloud role that issues its library's credentials, and the role to the target", async () => {
  await admin.write('sys/mounts/team/cloud', { type: 'cloud' });
  const cloud_role = { mount: 'team/cloud', role: 'deploy' };
  const store = await newStore();
  const library = await newLibrary(store.id, { attributes: { path: 'team/cloud/sts/deploy' } });
  expect(await read(credentialLibrary, `credential-libraries/${library.id}`)).toMatchObject({ cloud_role });
  // Other engines issue credentials at such paths too.
  const other = await newLibrary(store.id, { attributes: { path: 'database/creds/deploy' } });
  expect(await read(credentialLibrary, `credential-libraries/${other.id}`)).not.toHaveProperty('cloud_role');
  const target = await targetWith(library.id);
  expect(target.brokered_credential_sources).toMatchObject([{ id: library.id, cloud_role }]);
  const at = 'targets-using-secret?mount=team%2Fcloud';
  const { response } = endpoints.credentialLibraries.targetsUsingSecret;
  expect((await read(response, `${at}&role=deploy`)).items).toMatchObject([
    { id: target.id, libraries: [{ id: library.id, purpose: 'brokered' }] },
  ]);
  expect((await read(response, `${at}&role=deploy2`)).items).toEqual([]);
  expect((await read(response, at)).items).toMatchObject([{ id: target.id }]);
  expect((await read(response, 'targets-using-secret?mount=team')).items).toMatchObject([{ id: target.id }]);
  expect((await read(response, 'targets-using-secret?mount=cloud')).items).toEqual([]);
  const both = await page.send('GET', `${access}/${at}&role=deploy&path=x`);
  expect(both.json).toMatchObject({ code: 'invalid-request' });
  // Without a connection to the secrets server, users can't know what is mounted there.
  const away = console.browser();
  await signInAs(away, 'admin', testPassword);
  const left = await away.send('DELETE', '/api/environments/test/connections/secrets');
  expect(left.json, left.text).toMatchObject({ state: 'not-connected' });
  const seen = await away.send('GET', `${access}/credential-libraries/${library.id}`);
  expect(seen.json).not.toHaveProperty('cloud_role');
  expect(seen.status).toBe(200);
});

test.each([
  ['no secret of a versioned engine', { attributes: { path: 'database/creds/orders' } }],
  ['what a POST issues', { attributes: { path: 'secret/data/x', http_method: 'POST' } }],
  ['an engine alone', { attributes: { path: 'secret/data' } }],
])("doesn't link %s", async (_what, fields) => {
  const library = await newLibrary((await newStore()).id, fields);
  expect((await read(credentialLibrary, `credential-libraries/${library.id}`)).secret).toBeUndefined();
});

test('authorizing returns the credential, and a failure names the library, the store and the remedy', async () => {
  const store = await newStore();
  const works = await targetWith((await newLibrary(store.id)).id);
  expect((await authorize(works.id)).json).toMatchObject({
    credentials: [{ credential: { username: 'orders', password: 'canary' } }],
  });
  const failures: readonly (readonly [string, Record<string, unknown>, string, RegExp])[] = [
    [
      'forbidden',
      { attributes: { path: 'secret/data/other' } },
      'invalid-request',
      /policies.*Allow it in one of these policies/,
    ],
    ['not-found', { attributes: { path: 'secret/data/databases/none' } }, 'invalid-request', /nothing at/],
    [
      'not-mappable',
      { credential_mapping_overrides: { password_attribute: 'pass' } },
      'invalid-request',
      /lacks a field/,
    ],
  ];
  for (const [reason, fields, code, detail] of failures) {
    const library = await newLibrary(store.id, fields);
    const target = await targetWith(library.id);
    const { json, text } = await authorize(target.id);
    expect(json).toMatchObject({
      code,
      failedSource: { library_id: library.id, credential_store_id: store.id, reason },
    });
    expect(text).toContain(library.name);
    expect(text).toContain(store.name);
    expect(text).toMatch(detail);
  }
});

test('lets read-only users see stores, libraries and links, and change nothing', async () => {
  const store = await newStore();
  const library = await newLibrary(store.id);
  const reader = await signedIn('read-only');
  const path = `${access}/credential-libraries/${library.id}`;
  expect((await reader.send('GET', path)).json).toMatchObject({
    secret: { mount: 'secret' },
    authorized_actions: ['no-op', 'read'],
  });
  const refused = await reader.send('PATCH', path, { revision: '1', body: { name: 'other' } });
  expect(refused.json).toMatchObject({ code: 'forbidden' });
});
