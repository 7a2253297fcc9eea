import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  tokenPeriod,
  startServerForController,
} from '@gatehouse/secrets-server/testing/server-for-controller';
import type { ServerForController } from '@gatehouse/secrets-server/testing/server-for-controller';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, textOf } from '../testing/controller.ts';
import type { Answer, Client, Wire } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { generatedProject } from '../testing/sources.ts';
import { attributesOf, startVaultStores } from '../testing/vault-stores.ts';
import type { VaultStores } from '../testing/vault-stores.ts';

let vault: VaultStores<ServerForController>;
beforeAll(async () => {
  vault = await startVaultStores(await startServerForController());
});
afterAll(() => vault[Symbol.asyncDispose]());

describe('a store of type vault', () => {
  test('checks a token before using it, and returns everything but its secrets', async () => {
    const token = await vault.secrets.newToken();
    const created = await vault.createStore({ token, address: `${vault.secrets.url}/`, namespace: '' });
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^csvlt_[0-9A-Za-z]{10}$/) as unknown,
        scope_id: generatedProject,
        type: 'vault',
        version: 1,
        attributes: {
          address: vault.secrets.url,
          namespace: '',
          ca_cert: '',
          tls_server_name: '',
          tls_skip_verify: false,
          client_certificate: '',
          client_certificate_key_hmac: '',
          token_hmac: expect.stringMatching(/^[\w-]{43}$/) as unknown,
          token_status: 'current',
          token_expiration_time: new Date(vault.controller.clock.now() + tokenPeriod * 1000).toISOString(),
        },
        authorized_actions: ['no-op', 'read', 'update', 'delete'],
        authorized_collection_actions: { 'credential-libraries': ['create', 'list'] },
      },
    });
    expect(JSON.stringify(created.body)).not.toContain(token);
    const listed = itemsOf(await vault.operator.get(`/v1/credential-stores?scope_id=${generatedProject}`));
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
    [
      'with an address that is too long',
      { address: `http://x/${'a'.repeat(1_016)}` },
      ['attributes.address'],
    ],
    ['with a namespace that is too long', { namespace: 'a'.repeat(1_025) }, ['attributes.namespace']],
    ['with a namespace of two lines', { namespace: 'a\nb' }, ['attributes.namespace']],
    ['with an attribute of another kind', { token: 5 }, ['attributes.token']],
    ['with an unknown attribute', { color: 'red' }, ['attributes']],
  ] as const)('refuses %s', async (_what, attributes, blamed) => {
    const refused = await vault.createStore(attributes);
    expect([refused.status, blamedFields(refused)]).toEqual([400, [...blamed]]);
  });

  test.each([
    ['address', `http://x/${'a'.repeat(1_016)}`],
    ['namespace', 'a'.repeat(1_025)],
  ])('refuses a longer %s than 1,024 characters', async (name, value) => {
    const refused = await vault.createStore({ [name]: value });
    expect([refused.status, blamedFields(refused)]).toEqual([400, [`attributes.${name}`]]);
    expect(JSON.stringify(refused.body)).toContain('Must be at most 1024 characters.');
  });

  test.each([
    ['ca_cert', 'CERTIFICATE', 65_536, 'Must be at most 64 KiB.'],
    ['client_certificate', 'CERTIFICATE', 65_536, 'Must be at most 64 KiB.'],
    ['client_certificate_key', 'PRIVATE KEY', 65_536, 'Must be at most 64 KiB.'],
    ['token', undefined, 4_096, 'Must be at most 4096 characters.'],
  ])("refuses a %s that is longer than a store's may be", async (name, pem, most, words) => {
    const [begin, end] =
      pem === undefined ? ['', ''] : [`-----BEGIN ${pem}-----\n`, `\n-----END ${pem}-----`];
    const send = async (length: number): Promise<string> => {
      const value = `${begin}${'A'.repeat(length - begin.length - end.length)}${end}`;
      // Nothing answers there: what has no other fault is refused for its address.
      const refused = await vault.createStore({ address: 'https://127.0.0.1:1', [name]: value });
      expect(refused.status).toBe(400);
      return JSON.stringify(refused.body);
    };
    expect(await send(most)).not.toContain('Must be at most');
    expect(await send(most + 1)).toContain(words);
  });

  test.each([
    ['not renewable', { renewable: false }, /not renewable/],
    ['not periodic', { period: undefined, ttl: '1h' }, /not periodic/],
    ['periodic for less than 30 s', { period: '29s' }, /period is 29 s and must be 30 s or more/],
    ['not an orphan', { no_parent: false }, /not an orphan/],
    ['not allowed to keep leases', { policies: ['default'] }, /update on sys\/leases\/revoke/],
    ['not allowed to look itself up', { no_default_policy: true }, /look itself up/],
  ] as const)('refuses a token that is %s, with the reason', async (_what, fields, reason) => {
    const refused = await vault.createStore({ token: await vault.secrets.newToken(fields) });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.token']]);
    expect(JSON.stringify(refused.body)).toMatch(reason);
  });

  test('refuses an unknown token, and an address without a server', async () => {
    const wrong = await vault.createStore({ token: 'hvs.wrong' });
    expect([wrong.status, blamedFields(wrong)]).toEqual([400, ['attributes.token']]);
    const nobody = await vault.createStore({ address: 'http://127.0.0.1:1' });
    expect([nobody.status, blamedFields(nobody)]).toEqual([400, ['attributes.address']]);
    expect(JSON.stringify(nobody.body)).toContain("can't be reached");
    const other = await vault.createStore({ address: vault.controller.url });
    expect(JSON.stringify(other.body)).toContain("doesn't answer like a secrets server");
  });

  test('changes its label without any request, but its connection only if the server accepts the token', async () => {
    const token = await vault.secrets.newToken();
    const store = (await vault.createStore({ token })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const renamed = await vault.operator.patch(path, { version: 1, description: 'words' });
    expect(renamed.body).toMatchObject({ version: 2, description: 'words', attributes: store['attributes'] });
    const refused = await vault.operator.patch(path, {
      version: 2,
      attributes: { address: 'http://127.0.0.1:1', token },
    });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.address']]);
    const stale = await vault.operator.patch(path, {
      version: 1,
      attributes: { address: 'http://127.0.0.1:1' },
    });
    expect(stale.status).toBe(404);
    for (const cleared of ['address', 'token']) {
      const empty = await vault.operator.patch(path, { version: 2, attributes: { [cleared]: null } });
      expect(blamedFields(empty)).toEqual([`attributes.${cleared}`]);
    }
    const moved = await vault.operator.patch(path, {
      version: 2,
      attributes: { address: vault.secrets.url.replace('127.0.0.1', 'localhost'), token },
    });
    expect(moved.body).toMatchObject({ version: 3, attributes: { token_status: 'current' } });
    expect(attributesOf(moved)['token_hmac']).toBe((store['attributes'] as Wire)['token_hmac']);
    const typed = await vault.operator.patch(path, { version: 3, type: 'static', name: 'x' });
    expect(blamedFields(typed)).toEqual(['type']);
    expect(blamedFields(await vault.operator.patch(path, { version: 3 }))).toEqual(['update_mask']);
  });

  test.each([
    ['an address', (listener: string) => ({ address: listener })],
    ['a path of the address', () => ({ address: `${vault.secrets.url}/other` })],
    ['a namespace', () => ({ namespace: 'team' })],
    ['all at once', (listener: string) => ({ address: listener, namespace: 'team', ca_cert: null })],
  ])("doesn't send its token when %s changes without entering the token again", async (_what, change) => {
    const token = await vault.secrets.newToken();
    const store = (await vault.createStore({ token })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    await using listener = await startForeignServer();
    let heard = 0;
    listener.fail((_req, res) => {
      heard += 1;
      res.writeHead(200).end('{}');
    });
    const attributes = change(listener.url);
    const refused = await vault.operator.patch(path, { version: 1, attributes });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.token']]);
    expect(JSON.stringify(refused.body)).toContain('Enter the token again');
    for (const empty of ['', ' ', null]) {
      const without = await vault.operator.patch(path, {
        version: 1,
        attributes: { ...attributes, token: empty },
      });
      expect([without.status, blamedFields(without)]).toEqual([400, ['attributes.token']]);
    }
    expect(heard).toBe(0);
    expect((await vault.operator.get(path)).body).toEqual(store);
    // The token is still stored, and used at its former address.
    expect((await vault.authorizeWith({}, textOf(store, 'id'))).status).toBe(200);
    // A new address gets only the newly entered token.
    const tried = await vault.operator.patch(path, {
      version: 1,
      attributes: { ...attributes, token: 'hvs.other' },
    });
    expect(tried.status).toBe(400);
    expect((await vault.operator.get(path)).body).toEqual(store);
  });

  test("doesn't require the token if the connection stays the same", async () => {
    const store = (await vault.createStore({ namespace: '' })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const same = { address: `${vault.secrets.url}/`, namespace: '/', ca_cert: null, tls_skip_verify: false };
    const saved = await vault.operator.patch(path, { version: 1, description: 'words', attributes: same });
    expect(saved.body).toMatchObject({ version: 2, attributes: store['attributes'] as Wire });
  });

  test('revokes a replaced token, and the token of a deleted store', async () => {
    const first = await vault.secrets.newToken();
    const second = await vault.secrets.newToken();
    const store = (await vault.createStore({ token: first })).body;
    const path = `/v1/credential-stores/${textOf(store, 'id')}`;
    const rotated = await vault.operator.patch(path, { version: 1, attributes: { token: second } });
    expect(attributesOf(rotated)['token_hmac']).not.toBe((store['attributes'] as Wire)['token_hmac']);
    const lookup = async (token: string): Promise<number> =>
      (await vault.secrets.with(token).read('auth/token/lookup-self')).status;
    await expect.poll(() => lookup(first)).toBe(403);
    expect(await lookup(second)).toBe(200);
    expect((await vault.operator.delete(path)).status).toBe(204);
    await expect.poll(() => lookup(second)).toBe(403);
  });

  test('accepts no credentials, and a static store no libraries', async () => {
    const path = { type: 'password', attributes: { password: 'x' } };
    const refused = await vault.operator.post('/v1/credentials', {
      credential_store_id: vault.storeId,
      ...path,
    });
    expect(blamedFields(refused)).toEqual(['credential_store_id']);
    expect(blamedFields(await vault.createLibrary({}, await vault.make.store()))).toEqual([
      'credential_store_id',
    ]);
  });
});

test('roles have the same permissions on vault stores as on credentials', async () => {
  const reader = await vault.controller.as('read-only');
  const library = textOf((await vault.createLibrary()).body, 'id');
  const shown = await reader.get(`/v1/credential-libraries/${library}`);
  expect([shown.status, shown.body['authorized_actions']]).toEqual([200, ['no-op', 'read']]);
  expect((await reader.get(`/v1/credential-stores/${vault.storeId}`)).body).toMatchObject({
    authorized_collection_actions: { 'credential-libraries': ['list'] },
  });
  const attempts: readonly ((client: Client) => Promise<Answer>)[] = [
    (client) => client.patch(`/v1/credential-libraries/${library}`, { version: 1, name: 'x' }),
    (client) => client.delete(`/v1/credential-libraries/${library}`),
    (client) =>
      client.post('/v1/credential-libraries', {
        credential_store_id: vault.storeId,
        type: 'vault-generic',
        attributes: { path: 'a/b' },
      }),
    (client) =>
      client.patch(`/v1/credential-stores/${vault.storeId}`, { version: 1, attributes: { token: 'x' } }),
    (client) =>
      client.post('/v1/credential-stores', {
        scope_id: generatedProject,
        type: 'vault',
        attributes: { address: 'http://127.0.0.1:1', token: 'x' },
      }),
  ];
  for (const attempt of attempts) {
    expect((await attempt(reader)).status).toBe(403);
    expect((await attempt(vault.controller.anonymous)).status).toBe(401);
  }
});

test('no token and no secret is readable in the files of the service', async () => {
  const token = await vault.secrets.newToken();
  await vault.createStore({ token });
  await vault.authorizeWith({});
  for (const name of readdirSync(vault.controller.dataDir).filter((one) =>
    one.startsWith('access-controller'),
  )) {
    const bytes = readFileSync(join(vault.controller.dataDir, name));
    for (const canary of [token, 'canary-password'])
      expect([name, bytes.includes(canary)]).toEqual([name, false]);
  }
});
