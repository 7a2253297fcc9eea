import { as } from '@gatehouse/secrets-server/testing/people';
import { startServer, testPassword } from '@gatehouse/secrets-server/testing/server';
import { expect, test } from 'vitest';
import { secretAt, startSecrets } from '#test/secrets.ts';

test('a secret is compared with the one in another environment, without values', async () => {
  await using second = await startServer();
  const endpoint = { kind: 'url', url: new URL(second.url) } as const;
  await using live = await startSecrets({
    others: [
      {
        id: 'staging',
        name: 'Staging',
        kind: 'staging',
        sharedAccounts: false,
        services: { secrets: { endpoint, signIn: ['password', 'token'] } },
      },
    ],
  });
  const page = await live.signedIn();
  const compare = () =>
    page.send('POST', secretAt('app/db', '/compare-environments'), { body: { environment: 'staging' } });
  const canary = 'canary-in-both';
  await live.direct.write('secret/data/app/db', {
    data: { user: canary, port: 5432, host: 'one', only: true, nested: { a: 1, b: 2 } },
  });
  expect((await compare()).json).toMatchObject({
    code: 'not-connected',
    service: 'secrets',
    environment: 'staging',
  });
  await page.send('POST', '/api/environments/staging/connections/secrets', {
    body: { credentials: { method: 'password', login_name: 'admin', password: testPassword } },
  });
  const none = { names: [], count: 0 };
  expect((await compare()).json).toEqual({ other: null, changed: none, here: none, there: none, same: 0 });
  const admin = await as(second, 'administrator');
  await admin.write('secret/data/app/db', {
    data: { user: canary, port: 5432, host: 'two', more: '', nested: { b: 2, a: 1 } },
  });
  const compared = await compare();
  expect(compared.text).not.toContain(canary);
  expect(compared.json).toEqual({
    other: { version: 1, created_time: expect.any(String), readable: true },
    changed: { names: ['host'], count: 1 },
    here: { names: ['only'], count: 1 },
    there: { names: ['more'], count: 1 },
    same: 3,
  });
  expect((await page.send('GET', '/api/environments/staging/activity')).json['items']).toContainEqual(
    expect.objectContaining({
      action: 'secret.compare-environments',
      paths: ['part-of=secret.compare-environments', 'with=test'],
      resource: expect.objectContaining({ id: 'secret/app/db' }),
    }),
  );
  const reader = await live.signedIn('operator');
  await admin.write('sys/policies/acl/blind', {
    policy: 'path "secret/data/none" { capabilities = ["read"] }',
  });
  const made = await admin.write('auth/token/create', { policies: ['blind'] });
  const { client_token: token } = made.body['auth'] as { readonly client_token: string };
  await reader.send('POST', '/api/environments/staging/connections/secrets', {
    body: { credentials: { method: 'token', token } },
  });
  const denied = await reader.send('POST', secretAt('app/db', '/compare-environments'), {
    body: { environment: 'staging' },
  });
  expect(denied.json).toMatchObject({ code: 'forbidden', environment: 'staging' });
  await admin.delete('secret/data/app/db');
  expect((await compare()).json).toMatchObject({ other: { version: 1, readable: false } });
  const activity = await page.send(
    'GET',
    '/api/environments/test/activity?action=secret.compare-environments',
  );
  expect(activity.json).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({
        paths: ['with=staging'],
        resource: expect.objectContaining({ id: 'secret/app/db' }),
      }),
    ]),
  });
  expect(
    (
      await page.send('POST', secretAt('app/none', '/compare-environments'), {
        body: { environment: 'staging' },
      })
    ).json,
  ).toMatchObject({ code: 'not-found' });
});
