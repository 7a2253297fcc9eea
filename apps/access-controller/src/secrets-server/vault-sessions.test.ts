import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenOf } from '@gatehouse/secrets-server/testing/people';
import {
  controllerPolicy,
  startServerForController,
} from '@gatehouse/secrets-server/testing/server-for-controller';
import type { ServerForController } from '@gatehouse/secrets-server/testing/server-for-controller';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemsOf, textOf } from '../testing/controller.ts';
import type { Wire } from '../testing/controller.ts';
import { generatedProject } from '../testing/sources.ts';
import { reasonOf, startVaultStores } from '../testing/vault-stores.ts';
import type { VaultStores } from '../testing/vault-stores.ts';

let vault: VaultStores<ServerForController>;
beforeAll(async () => {
  vault = await startVaultStores(await startServerForController());
});
afterAll(() => vault[Symbol.asyncDispose]());

describe('authorizing a session', () => {
  const data = { username: 'orders', password: 'canary-password', port: 5432, nested: { user: 'deep' } };

  test.each(['brokered', 'application'])(
    'returns %s credentials, typed and as the server sent them',
    async (purpose) => {
      const library = (await vault.createLibrary()).body;
      const target = await vault.targetWith(textOf(library, 'id'), purpose);
      const answer = await vault.authorize(target);
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
    },
  );

  test('issues injected credentials, and keeps them from the client', async () => {
    const library = textOf((await vault.createLibrary()).body, 'id');
    const answer = await vault.authorize(await vault.targetWith(library, 'injected_application'));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
    expect(answer.body['credentials']).toEqual([]);
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
    const answer = await vault.authorizeWith(fields);
    expect(answer.body['credentials']).toMatchObject([{ credential }]);
    expect((answer.body['credentials'] as Wire[])[0]?.['credential']).toEqual(credential);
  });

  test.each([
    [
      'nothing at the path',
      { attributes: { path: 'secret/data/gone' } },
      'not-found',
      /Correct the library's path/,
    ],
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
      /don't allow POST/,
    ],
  ] as const)('with %s fails, says why, and creates no session', async (_what, fields, reason, text) => {
    const count = async (): Promise<number> =>
      itemsOf(await vault.operator.get(`/v1/sessions?scope_id=${generatedProject}`)).length;
    const before = await count();
    const refused = await vault.authorizeWith(fields);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        kind: 'FailedPrecondition',
        details: { credential_source: { credential_store_id: vault.storeId, reason } },
      },
    });
    expect(textOf(refused.body, 'message')).toMatch(text);
    expect(await count()).toBe(before);
  });

  test('reads credentials in the namespace of the store', async () => {
    const there = { 'x-vault-namespace': 'team' };
    const inTeam = (path: string, body: Wire) => vault.secrets.admin.send('POST', path, body, there);
    await vault.secrets.admin.write('sys/namespaces/team');
    await inTeam('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await inTeam('sys/policies/acl/controller', { policy: controllerPolicy });
    await inTeam('secret/data/databases/orders', { data: { username: 'team', password: 'of the team' } });
    const made = await inTeam('auth/token/create', {
      policies: ['controller'],
      period: '1h',
      no_parent: true,
    });
    const store = await vault.createStore({ namespace: '/team/', token: tokenOf(made) });
    expect(store, JSON.stringify(store.body)).toMatchObject({
      status: 200,
      body: { attributes: { namespace: 'team' } },
    });
    const answer = await vault.authorizeWith({}, textOf(store.body, 'id'));
    expect(answer.body['credentials']).toMatchObject([{ credential: { username: 'team' } }]);
  });

  test('reports a sealed server', async () => {
    const library = textOf((await vault.createLibrary()).body, 'id');
    const target = await vault.targetWith(library);
    await vault.secrets.admin.write('sys/seal');
    try {
      const refused = await vault.authorize(target);
      expect([refused.status, reasonOf(refused)]).toEqual([400, 'sealed']);
    } finally {
      await unseal();
    }
    expect((await vault.authorize(target)).status).toBe(200);
  });
});

/** Unseals with the root key from the key file of the data folder. */
async function unseal(): Promise<void> {
  const ring = JSON.parse(readFileSync(join(vault.secrets.dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    readonly active: string;
    readonly keys: Readonly<Record<string, string>>;
  };
  await vault.secrets.anonymous.write('sys/unseal', { key: ring.keys[ring.active] });
}
