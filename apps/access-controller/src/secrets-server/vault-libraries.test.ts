import { startServerForController } from '@gatehouse/secrets-server/testing/server-for-controller';
import type { ServerForController } from '@gatehouse/secrets-server/testing/server-for-controller';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, textOf } from '../testing/controller.ts';
import type { Answer, Wire } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { generatedProject } from '../testing/sources.ts';
import { reasonOf, startVaultStores } from '../testing/vault-stores.ts';
import type { VaultStores } from '../testing/vault-stores.ts';

let vault: VaultStores<ServerForController>;
beforeAll(async () => {
  vault = await startVaultStores(await startServerForController());
});
afterAll(() => vault[Symbol.asyncDispose]());

describe('a library', () => {
  test('has every field', async () => {
    const created = await vault.createLibrary({
      description: 'words',
      attributes: { path: '/secret/data/databases/orders/' },
      credential_mapping_overrides: { username_attribute: 'user', password_attribute: '' },
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^clvlt_[0-9A-Za-z]{10}$/) as unknown,
        credential_store_id: vault.storeId,
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
    expect((await vault.operator.get(path)).body).toEqual(created.body);
    const listed = await vault.operator.get(`/v1/credential-libraries?credential_store_id=${vault.storeId}`);
    expect(itemsOf(listed)).toContainEqual(created.body);
    const changed = await vault.operator.patch(path, {
      version: 1,
      attributes: { http_method: 'POST', http_request_body: '{"ttl":"1h"}' },
      credential_mapping_overrides: { password_attribute: '/data/password' },
    });
    expect(changed.body).toMatchObject({
      version: 2,
      attributes: { http_method: 'POST', http_request_body: '{"ttl":"1h"}' },
      credential_mapping_overrides: { username_attribute: 'user', password_attribute: '/data/password' },
    });
    const cleared = await vault.operator.patch(path, { version: 2, credential_mapping_overrides: null });
    expect(cleared.body['credential_mapping_overrides']).toEqual({});
    const bodyStays = await vault.operator.patch(path, { version: 3, attributes: { http_method: 'GET' } });
    expect(blamedFields(bodyStays)).toEqual(['attributes.http_request_body']);
    expect(
      blamedFields(await vault.operator.patch(path, { version: 3, credential_type: 'password' })),
    ).toEqual(['credential_type']);
    expect((await vault.operator.patch(path, { version: 1, name: 'x' })).status).toBe(404);
    expect((await vault.operator.delete(path)).status).toBe(204);
    expect((await vault.operator.get(path)).status).toBe(404);
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
    const refused = await vault.createLibrary(fields);
    expect([refused.status, blamedFields(refused)]).toEqual([400, [...blamed]]);
  });

  test('is a source of targets, under its own name, until it or its store is deleted', async () => {
    const store = textOf((await vault.createStore()).body, 'id');
    const library = (await vault.createLibrary({}, store)).body;
    const id = textOf(library, 'id');
    const target = await vault.targetWith(id);
    const summary = {
      id,
      name: library['name'],
      description: '',
      credential_store_id: store,
      type: 'vault-generic',
      credential_type: 'username_password',
    };
    expect((await vault.operator.get(`/v1/targets/${target}`)).body).toMatchObject({
      brokered_credential_source_ids: [id],
      brokered_credential_sources: [summary],
    });
    const filter = encodeURIComponent(`"${id}" in "/item/brokered_credential_source_ids"`);
    const found = itemsOf(
      await vault.operator.get(`/v1/targets?scope_id=${generatedProject}&filter=${filter}`),
    );
    expect(found.map((item) => item['id'])).toEqual([target]);
    expect((await vault.operator.delete(`/v1/credential-stores/${store}`)).status).toBe(204);
    expect((await vault.operator.get(`/v1/credential-libraries/${id}`)).status).toBe(404);
    expect((await vault.operator.get(`/v1/targets/${target}`)).body).toMatchObject({
      version: 3,
      brokered_credential_source_ids: [],
    });
  });
});

describe('answers that a library reads', () => {
  test.each([
    'auth/token/lookup-self',
    '/auth/token/renew-self/',
    'auth/token/revoke-self',
    'auth/token/lookup',
    'team/auth/token/lookup-self',
  ])("never come from a path of the store's own token: %s is refused", async (path) => {
    const refused = await vault.createLibrary({ credential_type: undefined, attributes: { path } });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.path']]);
    const library = (await vault.createLibrary()).body;
    const changed = await vault.operator.patch(`/v1/credential-libraries/${textOf(library, 'id')}`, {
      version: 1,
      attributes: { path },
    });
    expect([changed.status, blamedFields(changed)]).toEqual([400, ['attributes.path']]);
  });

  test.each([undefined, 'password'])(
    "never contain the store's own token, whatever the path: type %s",
    async (credential_type) => {
      const token = `hvs.of"the\\store-and-long${'-and-longer'.repeat(8)}`;
      await using server = await startForeignServer();
      const store = await vault.createStore({ address: server.url, token });
      const issued = (answer: unknown): Promise<Answer> => {
        server.fail((_req, res) => {
          res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: answer }));
        });
        return vault.authorizeWith(
          { credential_type, attributes: { path: 'mine/self' } },
          textOf(store.body, 'id'),
        );
      };
      for (const answer of [
        { password: token },
        { password: 'x', deep: [{ [`a ${token}`]: 1 }] },
        // Only the end of a long one is searched for.
        { password: token.slice(-64) },
      ]) {
        const refused = await issued(answer);
        expect([refused.status, reasonOf(refused)]).toEqual([400, 'refused']);
        expect(JSON.stringify(refused.body)).not.toContain('hvs.of');
      }
      expect((await issued({ password: 'x', other: 'hvs.of' })).status).toBe(200);
    },
  );
});

test('finds a short token only as a whole value, since it may be part of any word', async () => {
  await using server = await startForeignServer();
  const store = await vault.createStore({ address: server.url, token: 'root' });
  const issued = (data: Wire): Promise<Answer> => {
    server.fail((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    return vault.authorizeWith({ credential_type: 'password' }, textOf(store.body, 'id'));
  };
  expect((await issued({ password: 'uprooted' })).status).toBe(200);
  expect(reasonOf(await issued({ password: 'root' }))).toBe('refused');
});

test('reads a secret whose path only resembles that of a token', async () => {
  for (const path of [
    'secret/data/auth/token/lookup-service',
    'kv/auth/token/renewals',
    'auth/tokens/lookup',
  ])
    expect((await vault.createLibrary({ attributes: { path } })).status).toBe(200);
});
