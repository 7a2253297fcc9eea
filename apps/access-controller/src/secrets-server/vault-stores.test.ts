import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { as, tokenOf, tokenWith } from '@gatehouse/secrets-server/testing/people';
import { startServer } from '@gatehouse/secrets-server/testing/server';
import type { TestServer } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, startController, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { SourceMaker, generatedProject } from '../testing/sources.ts';

let secrets: TestServer;
let secretsAdmin: Awaited<ReturnType<typeof as>>;
let controller: TestController;
let operator: Client;
let make: SourceMaker;
let storeId: string;
let names = 0;

const policy = `
path "sys/leases/renew" { capabilities = ["update"] }
path "sys/leases/revoke" { capabilities = ["update"] }
path "secret/data/databases/*" { capabilities = ["read"] }
path "secret/data/gone" { capabilities = ["read"] }`;
const period = 3600;

beforeAll(async () => {
  secrets = await startServer();
  secretsAdmin = await as(secrets, 'administrator');
  await secretsAdmin.write('sys/policies/acl/controller', { policy });
  await secretsAdmin.write('secret/data/databases/orders', {
    data: { username: 'orders', password: 'canary-password', port: 5432, nested: { user: 'deep' } },
  });
  await secretsAdmin.write('secret/data/hidden', { data: { username: 'x', password: 'y' } });
  controller = await startController({ upkeepMs: 10 });
  operator = await controller.as('operator');
  make = new SourceMaker(controller, operator);
  storeId = textOf((await createStore()).body, 'id');
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await secrets[Symbol.asyncDispose]();
});

const newToken = (fields: Wire = {}): Promise<string> =>
  tokenWith(secretsAdmin, {
    policies: ['controller'],
    period: `${period}s`,
    no_parent: true,
    renewable: true,
    ...fields,
  });
async function createStore(attributes: Wire = {}, fields: Wire = {}): Promise<Answer> {
  return operator.post('/v1/credential-stores', {
    scope_id: generatedProject,
    type: 'vault',
    name: `store ${++names}`,
    attributes: { address: secrets.url, token: await newToken(), ...attributes },
    ...fields,
  });
}
const createLibrary = (fields: Wire = {}, store = storeId): Promise<Answer> =>
  operator.post('/v1/credential-libraries', {
    credential_store_id: store,
    type: 'vault-generic',
    name: `library ${++names}`,
    credential_type: 'username_password',
    ...fields,
    attributes: { path: 'secret/data/databases/orders', ...(fields['attributes'] as Wire | undefined) },
  });
const attributesOf = (answer: Answer): Wire => answer.body['attributes'] as Wire;
/** A target with a library as a source. */
async function targetWith(libraryId: string, purpose = 'brokered'): Promise<string> {
  const target = await make.target({ address: 'db.example' });
  const linked = await operator.post(`/v1/targets/${textOf(target, 'id')}:add-credential-sources`, {
    version: 1,
    [`${purpose}_credential_source_ids`]: [libraryId],
  });
  expect(linked.status, JSON.stringify(linked.body)).toBe(200);
  return textOf(target, 'id');
}
const authorize = (targetId: string): Promise<Answer> =>
  operator.post(`/v1/targets/${targetId}:authorize-session`, {});
/** Authorizes on a new target with a new library. */
async function authorizeWith(fields: Wire, store = storeId): Promise<Answer> {
  const library = await createLibrary(fields, store);
  expect(library.status, JSON.stringify(library.body)).toBe(200);
  return authorize(await targetWith(textOf(library.body, 'id')));
}
const reasonOf = (answer: Answer): unknown =>
  (answer.body['details'] as { credential_source?: Wire } | undefined)?.credential_source?.['reason'];
const advance = (ms: number): void => {
  secrets.clock.advance(ms);
  controller.clock.advance(ms);
};
const statusOf = async (id: string): Promise<unknown> =>
  attributesOf(await operator.get(`/v1/credential-stores/${id}`))['token_status'];

describe('a store of type vault', () => {
  test('takes a token into use, and answers all but its secrets', async () => {
    const token = await newToken();
    const created = await createStore({ token, address: `${secrets.url}/`, namespace: '' });
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^csvlt_[0-9A-Za-z]{10}$/) as unknown,
        scope_id: generatedProject,
        type: 'vault',
        version: 1,
        attributes: {
          address: secrets.url,
          namespace: '',
          ca_cert: '',
          tls_server_name: '',
          tls_skip_verify: false,
          client_certificate: '',
          client_certificate_key_hmac: '',
          token_hmac: expect.stringMatching(/^[\w-]{43}$/) as unknown,
          token_status: 'current',
          token_expiration_time: new Date(controller.clock.now() + period * 1000).toISOString(),
        },
        authorized_actions: ['no-op', 'read', 'update', 'delete'],
        authorized_collection_actions: { 'credential-libraries': ['create', 'list'] },
      },
    });
    expect(JSON.stringify(created.body)).not.toContain(token);
    const listed = itemsOf(await operator.get(`/v1/credential-stores?scope_id=${generatedProject}`));
    expect(listed).toContainEqual(created.body);
  });

  test.each([
    ['without an address', { address: null }, ['attributes.address']],
    ['without a token', { token: undefined }, ['attributes.token']],
    ['with an address of another kind', { address: 'ftp://x' }, ['attributes.address']],
    ['with a password in the address', { address: 'http://u:p@x' }, ['attributes.address']],
    ['with a query in the address', { address: 'http://x/?a=b' }, ['attributes.address']],
    ['with a filter of workers', { worker_filter: '"a" in "/tags"' }, ['attributes.worker_filter']],
    ['with certificates over plain http', { tls_skip_verify: true }, ['attributes.tls_skip_verify']],
    ['with no certificate at all', { address: 'https://x', ca_cert: 'pem' }, ['attributes.ca_cert']],
    [
      'with a key for everyone to see',
      {
        address: 'https://x',
        client_certificate: '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----',
      },
      ['attributes.client_certificate', 'attributes.client_certificate_key'],
    ],
    ['with a namespace of two lines', { namespace: 'a\nb' }, ['attributes.namespace']],
    ['with an attribute of another kind', { token: 5 }, ['attributes.token']],
    ['with an unknown attribute', { colour: 'red' }, ['attributes']],
  ] as const)('%s is refused', async (_what, attributes, blamed) => {
    const refused = await createStore(attributes);
    expect([refused.status, blamedFields(refused)]).toEqual([400, [...blamed]]);
  });

  test.each([
    ['not renewable', { renewable: false }, /not renewable/],
    ['not periodic', { period: undefined, ttl: '1h' }, /not periodic/],
    ['not an orphan', { no_parent: false }, /not an orphan/],
    ['not allowed to keep leases', { policies: ['default'] }, /update on sys\/leases\/revoke/],
    ['not allowed to look itself up', { no_default_policy: true }, /look itself up/],
  ] as const)('a token that is %s is refused, with the reason', async (_what, fields, reason) => {
    const refused = await createStore({ token: await newToken(fields) });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.token']]);
    expect(JSON.stringify(refused.body)).toMatch(reason);
  });

  test('a token of no one, and an address where no one is, are refused', async () => {
    const wrong = await createStore({ token: 'hvs.wrong' });
    expect([wrong.status, blamedFields(wrong)]).toEqual([400, ['attributes.token']]);
    const nobody = await createStore({ address: 'http://127.0.0.1:1' });
    expect([nobody.status, blamedFields(nobody)]).toEqual([400, ['attributes.address']]);
    expect(JSON.stringify(nobody.body)).toContain('cannot be reached');
    const other = await createStore({ address: controller.url });
    expect(JSON.stringify(other.body)).toContain('does not answer as a secrets server does');
  });

  test('changes its label without asking anyone, and its connection only if the server takes the token', async () => {
    const token = await newToken();
    const store = (await createStore({ token })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const renamed = await operator.patch(path, { version: 1, description: 'words' });
    expect(renamed.body).toMatchObject({ version: 2, description: 'words', attributes: store['attributes'] });
    const refused = await operator.patch(path, {
      version: 2,
      attributes: { address: 'http://127.0.0.1:1', token },
    });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.address']]);
    const stale = await operator.patch(path, { version: 1, attributes: { address: 'http://127.0.0.1:1' } });
    expect(stale.status).toBe(404);
    for (const cleared of ['address', 'token']) {
      const empty = await operator.patch(path, { version: 2, attributes: { [cleared]: null } });
      expect(blamedFields(empty)).toEqual([`attributes.${cleared}`]);
    }
    const moved = await operator.patch(path, {
      version: 2,
      attributes: { address: secrets.url.replace('127.0.0.1', 'localhost'), token },
    });
    expect(moved.body).toMatchObject({ version: 3, attributes: { token_status: 'current' } });
    expect(attributesOf(moved)['token_hmac']).toBe((store['attributes'] as Wire)['token_hmac']);
    const typed = await operator.patch(path, { version: 3, type: 'static', name: 'x' });
    expect(blamedFields(typed)).toEqual(['type']);
    expect(blamedFields(await operator.patch(path, { version: 3 }))).toEqual(['update_mask']);
  });

  test.each([
    ['an address', (listener: string) => ({ address: listener })],
    ['a path of the address', () => ({ address: `${secrets.url}/other` })],
    ['a namespace', () => ({ namespace: 'team' })],
    ['all at once', (listener: string) => ({ address: listener, namespace: 'team', ca_cert: null })],
  ])('keeps its token to itself where %s is changed without it', async (_what, change) => {
    const token = await newToken();
    const store = (await createStore({ token })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    await using listener = await startForeignServer();
    let heard = 0;
    listener.fail((_req, res) => {
      heard += 1;
      res.writeHead(200).end('{}');
    });
    const attributes = change(listener.url);
    const refused = await operator.patch(path, { version: 1, attributes });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.token']]);
    expect(JSON.stringify(refused.body)).toContain('Enter the token again');
    for (const empty of ['', ' ', null]) {
      const without = await operator.patch(path, { version: 1, attributes: { ...attributes, token: empty } });
      expect([without.status, blamedFields(without)]).toEqual([400, ['attributes.token']]);
    }
    expect(heard).toBe(0);
    expect((await operator.get(path)).body).toEqual(store);
    // It is still there, and goes where it went.
    expect((await authorizeWith({}, textOf(store, 'id'))).status).toBe(200);
    // What another token is tried with is that token alone.
    const tried = await operator.patch(path, {
      version: 1,
      attributes: { ...attributes, token: 'hvs.other' },
    });
    expect(tried.status).toBe(400);
    expect((await operator.get(path)).body).toEqual(store);
  });

  test('asks for no token where the connection stays what it is', async () => {
    const store = (await createStore({ namespace: '' })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const same = { address: `${secrets.url}/`, namespace: '/', ca_cert: null, tls_skip_verify: false };
    const saved = await operator.patch(path, { version: 1, description: 'words', attributes: same });
    expect(saved.body).toMatchObject({ version: 2, attributes: store['attributes'] as Wire });
  });

  test('a replaced token is revoked, and so is that of a store that is deleted', async () => {
    const first = await newToken();
    const second = await newToken();
    const store = (await createStore({ token: first })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const rotated = await operator.patch(path, { version: 1, attributes: { token: second } });
    expect(attributesOf(rotated)['token_hmac']).not.toBe((store['attributes'] as Wire)['token_hmac']);
    const lookup = async (token: string): Promise<number> =>
      (await secrets.with(token).read('auth/token/lookup-self')).status;
    await expect.poll(() => lookup(first)).toBe(403);
    expect(await lookup(second)).toBe(200);
    expect((await operator.delete(path)).status).toBe(204);
    await expect.poll(() => lookup(second)).toBe(403);
  });

  test('has no credentials of its own, and a static one no libraries', async () => {
    const path = { type: 'password', attributes: { password: 'x' } };
    const refused = await operator.post('/v1/credentials', { credential_store_id: storeId, ...path });
    expect(blamedFields(refused)).toEqual(['credential_store_id']);
    expect(blamedFields(await createLibrary({}, await make.store()))).toEqual(['credential_store_id']);
  });
});

describe('what a library reads', () => {
  test.each([
    'auth/token/lookup-self',
    '/auth/token/renew-self/',
    'auth/token/revoke-self',
    'auth/token/lookup',
    'team/auth/token/lookup-self',
  ])('is not the token of its store: %s is refused', async (path) => {
    const refused = await createLibrary({ credential_type: undefined, attributes: { path } });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.path']]);
    const library = (await createLibrary()).body;
    const changed = await operator.patch(`/v1/credential-libraries/${textOf(library, 'id')}`, {
      version: 1,
      attributes: { path },
    });
    expect([changed.status, blamedFields(changed)]).toEqual([400, ['attributes.path']]);
  });

  test.each([undefined, 'password'])(
    'is not the token of its store under any other path: type %s',
    async (credential_type) => {
      const token = 'hvs.of"the\\store-and-long';
      await using server = await startForeignServer();
      const store = await createStore({ address: server.url, token });
      const issued = (answer: unknown): Promise<Answer> => {
        server.fail((_req, res) => {
          res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: answer }));
        });
        return authorizeWith(
          { credential_type, attributes: { path: 'mine/self' } },
          textOf(store.body, 'id'),
        );
      };
      for (const answer of [{ password: token }, { password: 'x', deep: [{ [`a ${token}`]: 1 }] }]) {
        const refused = await issued(answer);
        expect([refused.status, reasonOf(refused)]).toEqual([400, 'refused']);
        expect(JSON.stringify(refused.body)).not.toContain('hvs.of');
      }
      expect((await issued({ password: 'x', other: 'hvs.of' })).status).toBe(200);
    },
  );
});

test('a short token is found as a whole value alone: it may be part of any word', async () => {
  await using server = await startForeignServer();
  const store = await createStore({ address: server.url, token: 'root' });
  const issued = (data: Wire): Promise<Answer> => {
    server.fail((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    return authorizeWith({ credential_type: 'password' }, textOf(store.body, 'id'));
  };
  expect((await issued({ password: 'uprooted' })).status).toBe(200);
  expect(reasonOf(await issued({ password: 'root' }))).toBe('refused');
});

test('a library may read a secret whose path only looks like that of a token', async () => {
  for (const path of [
    'secret/data/auth/token/lookup-service',
    'kv/auth/token/renewals',
    'auth/tokens/lookup',
  ])
    expect((await createLibrary({ attributes: { path } })).status).toBe(200);
});

describe('the token of a store', () => {
  test('is renewed by itself at half its time, again and again', async () => {
    const id = textOf((await createStore()).body, 'id');
    const expires = async (): Promise<unknown> =>
      attributesOf(await operator.get(`/v1/credential-stores/${id}`))['token_expiration_time'];
    for (let round = 0; round < 3; round++) {
      advance(period * 600);
      await expect.poll(expires).toBe(new Date(controller.clock.now() + period * 1000).toISOString());
    }
    expect(await statusOf(id)).toBe('current');
  });

  test('that is revoked at the server says so, in lists that are refreshed too, and a new one mends it', async () => {
    const token = await newToken();
    const store = (await createStore({ token })).body;
    const id = textOf(store, 'id');
    const listed = await operator.get(`/v1/credential-stores?scope_id=${generatedProject}`);
    await secrets.with(token).write('auth/token/revoke-self');
    const refused = await authorizeWith({}, id);
    expect([refused.status, reasonOf(refused)]).toEqual([400, 'token-revoked']);
    expect(await statusOf(id)).toBe('revoked');
    const again = await operator.get(
      `/v1/credential-stores?scope_id=${generatedProject}&list_token=${encodeURIComponent(textOf(listed.body, 'list_token'))}`,
    );
    const refreshed = itemsOf(again).find((item) => item['id'] === id);
    expect(refreshed).toMatchObject({ version: 1, attributes: { token_status: 'revoked' } });
    const mended = await operator.patch(`/v1/credential-stores/${id}`, {
      version: 1,
      attributes: { token: await newToken() },
    });
    expect(mended.body).toMatchObject({ version: 2, attributes: { token_status: 'current' } });
    expect((await authorizeWith({}, id)).status).toBe(200);
  });

  test('that moves to another server is not judged by what the former one still answers', async () => {
    const token = 'hvs.one-for-both';
    await using former = await startForeignServer();
    await using next = await startForeignServer();
    const store = (await createStore({ address: former.url, token })).body;
    const id = textOf(store, 'id');
    const held = Promise.withResolvers<() => void>();
    former.fail((_req, res) => {
      held.resolve(() => res.writeHead(403).end('{"errors":["permission denied"]}'));
    });
    advance(period * 600);
    const answer = await held.promise;
    const moved = await operator.patch(`/v1/credential-stores/${id}`, {
      version: 1,
      attributes: { address: next.url, token },
    });
    expect(moved.body).toMatchObject({ version: 2, attributes: { token_status: 'current' } });
    answer();
    // The next round at the new server says that the one at the former one is over.
    let asked = 0;
    next.fail((_req, res) => {
      asked += 1;
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ auth: { lease_duration: period } }));
    });
    advance(period * 600);
    await expect.poll(() => asked).toBe(1);
    expect(await statusOf(id)).toBe('current');
  });

  test('that ran out while the server could not be reached has expired', async () => {
    const short = await startServer();
    const admin = await as(short, 'administrator');
    await admin.write('sys/policies/acl/controller', { policy });
    const token = await tokenWith(admin, { policies: ['controller'], period: '60s', no_parent: true });
    const id = textOf((await createStore({ token, address: short.url })).body, 'id');
    await short[Symbol.asyncDispose]();
    advance(31_000);
    await expect.poll(() => statusOf(id)).toBe('renewing');
    const waiting = await authorizeWith({}, id);
    expect(reasonOf(waiting)).toBe('unreachable');
    advance(30_000);
    expect(await statusOf(id)).toBe('expired');
    expect(reasonOf(await authorizeWith({}, id))).toBe('token-expired');
  });
});

describe('a library', () => {
  test('has every field', async () => {
    const created = await createLibrary({
      description: 'words',
      attributes: { path: '/secret/data/databases/orders/' },
      credential_mapping_overrides: { username_attribute: 'user', password_attribute: '' },
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^clvlt_[0-9A-Za-z]{10}$/) as unknown,
        credential_store_id: storeId,
        type: 'vault-generic',
        version: 1,
        description: 'words',
        credential_type: 'username_password',
        credential_mapping_overrides: { username_attribute: 'user' },
        attributes: { path: 'secret/data/databases/orders', http_method: 'GET', http_request_body: '' },
        authorized_actions: ['no-op', 'read', 'update', 'delete'],
      },
    });
    const path = `/v1/credential-libraries/${textOf(created.body, 'id')}`;
    expect((await operator.get(path)).body).toEqual(created.body);
    const listed = await operator.get(`/v1/credential-libraries?credential_store_id=${storeId}`);
    expect(itemsOf(listed)).toContainEqual(created.body);
    const changed = await operator.patch(path, {
      version: 1,
      attributes: { http_method: 'POST', http_request_body: '{"ttl":"1h"}' },
      credential_mapping_overrides: { password_attribute: '/data/password' },
    });
    expect(changed.body).toMatchObject({
      version: 2,
      attributes: { http_method: 'POST', http_request_body: '{"ttl":"1h"}' },
      credential_mapping_overrides: { username_attribute: 'user', password_attribute: '/data/password' },
    });
    const cleared = await operator.patch(path, { version: 2, credential_mapping_overrides: null });
    expect(cleared.body['credential_mapping_overrides']).toEqual({});
    const bodyStays = await operator.patch(path, { version: 3, attributes: { http_method: 'GET' } });
    expect(blamedFields(bodyStays)).toEqual(['attributes.http_request_body']);
    expect(blamedFields(await operator.patch(path, { version: 3, credential_type: 'password' }))).toEqual([
      'credential_type',
    ]);
    expect((await operator.patch(path, { version: 1, name: 'x' })).status).toBe(404);
    expect((await operator.delete(path)).status).toBe(204);
    expect((await operator.get(path)).status).toBe(404);
  });

  test.each([
    ['no path', { attributes: { path: '' } }, ['attributes.path']],
    ['a path that climbs', { attributes: { path: 'secret/../sys/seal' } }, ['attributes.path']],
    ['a path with an empty name', { attributes: { path: 'secret//x' } }, ['attributes.path']],
    ['a path with a line break', { attributes: { path: 'secret/a\nb' } }, ['attributes.path']],
    ['a path of the API', { attributes: { path: 'v1/secret/data/x' } }, ['attributes.path']],
    ['another method', { attributes: { http_method: 'DELETE' } }, ['attributes.http_method']],
    ['a body without POST', { attributes: { http_request_body: '{}' } }, ['attributes.http_request_body']],
    [
      'a body that is no object',
      { attributes: { http_method: 'POST', http_request_body: '[1]' } },
      ['attributes.http_request_body'],
    ],
    ['an unknown type', { type: 'vault-ssh-certificate' }, ['type']],
    ['an unknown credential type', { credential_type: 'json' }, ['credential_type']],
    [
      'an override of another type',
      { credential_mapping_overrides: { domain_attribute: 'x' } },
      ['credential_mapping_overrides'],
    ],
    [
      'an override that is no text',
      { credential_mapping_overrides: { username_attribute: 5 } },
      ['credential_mapping_overrides.username_attribute'],
    ],
    [
      'overrides without a type',
      { credential_type: '', credential_mapping_overrides: { username_attribute: 'x' } },
      ['credential_mapping_overrides'],
    ],
  ] as const)('with %s is refused', async (_what, fields, blamed) => {
    const refused = await createLibrary(fields);
    expect([refused.status, blamedFields(refused)]).toEqual([400, [...blamed]]);
  });

  test('is a source of targets, by its own name, until it or its store is gone', async () => {
    const store = textOf((await createStore()).body, 'id');
    const library = (await createLibrary({}, store)).body;
    const id = textOf(library, 'id');
    const target = await targetWith(id);
    const summary = {
      id,
      name: library['name'],
      description: '',
      credential_store_id: store,
      type: 'vault-generic',
      credential_type: 'username_password',
    };
    expect((await operator.get(`/v1/targets/${target}`)).body).toMatchObject({
      brokered_credential_source_ids: [id],
      brokered_credential_sources: [summary],
    });
    const filter = encodeURIComponent(`"${id}" in "/item/brokered_credential_source_ids"`);
    const found = itemsOf(await operator.get(`/v1/targets?scope_id=${generatedProject}&filter=${filter}`));
    expect(found.map((item) => item['id'])).toEqual([target]);
    expect((await operator.delete(`/v1/credential-stores/${store}`)).status).toBe(204);
    expect((await operator.get(`/v1/credential-libraries/${id}`)).status).toBe(404);
    expect((await operator.get(`/v1/targets/${target}`)).body).toMatchObject({
      version: 3,
      brokered_credential_source_ids: [],
    });
  });
});

describe('authorizing a session', () => {
  const data = { username: 'orders', password: 'canary-password', port: 5432, nested: { user: 'deep' } };

  test.each(['brokered', 'application'])('tells %s credentials, typed and as they came', async (purpose) => {
    const library = (await createLibrary()).body;
    const target = await targetWith(textOf(library, 'id'), purpose);
    const answer = await authorize(target);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const [credential] = answer.body['credentials'] as {
      credential_source: Wire;
      secret: { raw: string; decoded: Wire };
      credential: Wire;
    }[];
    expect(credential).toMatchObject({
      credential_source: { id: library['id'], type: 'vault-generic' },
      secret: { decoded: { data, metadata: { version: 1 } } },
      credential: { username: 'orders', password: 'canary-password' },
    });
    expect(JSON.parse(Buffer.from(credential?.secret.raw ?? '', 'base64').toString())).toEqual(
      credential?.secret.decoded,
    );
  });

  test('issues injected ones, and keeps them from the client', async () => {
    const library = textOf((await createLibrary()).body, 'id');
    const answer = await authorize(await targetWith(library, 'injected_application'));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
    expect(answer.body['credentials']).toMatchObject([
      { secret: { raw: '', decoded: null }, credential: {} },
    ]);
  });

  test.each([
    ['no type', { credential_type: '' }, {}],
    ['a password alone', { credential_type: 'password' }, { password: 'canary-password' }],
    [
      'a pointer and a number',
      {
        credential_mapping_overrides: { username_attribute: '/data/nested/user', password_attribute: 'port' },
      },
      { username: 'deep', password: '5432' },
    ],
  ])('maps to %s', async (_what, fields, credential) => {
    const answer = await authorizeWith(fields);
    expect(answer.body['credentials']).toMatchObject([{ credential }]);
    expect((answer.body['credentials'] as Wire[])[0]?.['credential']).toEqual(credential);
  });

  test.each([
    ['nothing at the path', { attributes: { path: 'secret/data/gone' } }, 'not-found', /Correct the path/],
    ['a path that policies forbid', { attributes: { path: 'secret/data/hidden' } }, 'forbidden', /policies/],
    [
      'a secret without the field',
      { credential_mapping_overrides: { password_attribute: 'pass' } },
      'not-mappable',
      /lacks pass/,
    ],
    ['no engine', { attributes: { path: 'nothing/here' } }, 'forbidden', /policies/],
    [
      'a method that the path does not have',
      { attributes: { http_method: 'POST' } },
      'forbidden',
      /do not allow POST/,
    ],
  ] as const)('with %s says so, and makes no session', async (_what, fields, reason, text) => {
    const count = async (): Promise<number> =>
      itemsOf(await operator.get(`/v1/sessions?scope_id=${generatedProject}`)).length;
    const before = await count();
    const refused = await authorizeWith(fields);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        kind: 'FailedPrecondition',
        details: { credential_source: { credential_store_id: storeId, reason } },
      },
    });
    expect(textOf(refused.body, 'message')).toMatch(text);
    expect(await count()).toBe(before);
  });

  test('asks in the namespace of the store', async () => {
    const there = { 'x-vault-namespace': 'team' };
    const inTeam = (path: string, body: Wire) => secretsAdmin.send('POST', path, body, there);
    await secretsAdmin.write('sys/namespaces/team');
    await inTeam('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await inTeam('sys/policies/acl/controller', { policy });
    await inTeam('secret/data/databases/orders', { data: { username: 'team', password: 'of the team' } });
    const made = await inTeam('auth/token/create', {
      policies: ['controller'],
      period: '1h',
      no_parent: true,
    });
    const store = await createStore({ namespace: '/team/', token: tokenOf(made) });
    expect(store, JSON.stringify(store.body)).toMatchObject({
      status: 200,
      body: { attributes: { namespace: 'team' } },
    });
    const answer = await authorizeWith({}, textOf(store.body, 'id'));
    expect(answer.body['credentials']).toMatchObject([{ credential: { username: 'team' } }]);
  });

  test('with a sealed server says so', async () => {
    const library = textOf((await createLibrary()).body, 'id');
    const target = await targetWith(library);
    await secretsAdmin.write('sys/seal');
    try {
      const refused = await authorize(target);
      expect([refused.status, reasonOf(refused)]).toEqual([400, 'sealed']);
    } finally {
      await unseal();
    }
    expect((await authorize(target)).status).toBe(200);
  });
});

/** The root key is in the key file of the data folder. */
async function unseal(): Promise<void> {
  const ring = JSON.parse(readFileSync(join(secrets.dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    readonly active: string;
    readonly keys: Readonly<Record<string, string>>;
  };
  await secrets.anonymous.write('sys/unseal', { key: ring.keys[ring.active] });
}

test('roles decide as they do about credentials', async () => {
  const reader = await controller.as('read-only');
  const library = textOf((await createLibrary()).body, 'id');
  const shown = await reader.get(`/v1/credential-libraries/${library}`);
  expect([shown.status, shown.body['authorized_actions']]).toEqual([200, ['no-op', 'read']]);
  expect((await reader.get(`/v1/credential-stores/${storeId}`)).body).toMatchObject({
    authorized_collection_actions: { 'credential-libraries': ['list'] },
  });
  const attempts: readonly ((client: Client) => Promise<Answer>)[] = [
    (client) => client.patch(`/v1/credential-libraries/${library}`, { version: 1, name: 'x' }),
    (client) => client.delete(`/v1/credential-libraries/${library}`),
    (client) =>
      client.post('/v1/credential-libraries', {
        credential_store_id: storeId,
        type: 'vault-generic',
        attributes: { path: 'a/b' },
      }),
    (client) => client.patch(`/v1/credential-stores/${storeId}`, { version: 1, attributes: { token: 'x' } }),
    (client) =>
      client.post('/v1/credential-stores', {
        scope_id: generatedProject,
        type: 'vault',
        attributes: { address: 'http://127.0.0.1:1', token: 'x' },
      }),
  ];
  for (const attempt of attempts) {
    expect((await attempt(reader)).status).toBe(403);
    expect((await attempt(controller.anonymous)).status).toBe(401);
  }
});

test('no token and no secret is readable in the files of the service', async () => {
  const token = await newToken();
  await createStore({ token });
  await authorizeWith({});
  for (const name of readdirSync(controller.dataDir).filter((one) => one.startsWith('access-controller'))) {
    const bytes = readFileSync(join(controller.dataDir, name));
    for (const canary of [token, 'canary-password'])
      expect([name, bytes.includes(canary)]).toEqual([name, false]);
  }
});
