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
        services: { secrets: { endpoint, signIn: ['password'] } },
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
  expect((await compare()).json).toEqual({ other: null, fields: [], more: false });
  const admin = await as(second, 'administrator');
  await admin.write('secret/data/app/db', {
    data: { user: canary, port: 5432, host: 'two', more: '', nested: { b: 2, a: 1 } },
  });
  const compared = await compare();
  expect(compared.text).not.toContain(canary);
  expect(compared.json).toEqual({
    other: { version: 1, created_time: expect.any(String), readable: true },
    fields: [
      { name: 'host', found: 'different' },
      { name: 'more', found: 'there' },
      { name: 'nested', found: 'same' },
      { name: 'only', found: 'here' },
      { name: 'port', found: 'same' },
      { name: 'user', found: 'same' },
    ],
    more: false,
  });
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

test('only values that the user may read in both environments are compared', async () => {
  await using live = await startSecrets();
  await live.direct.write('secret/data/app/db', { data: { a: 1 } });
  const page = await live.withPolicy(
    'writer',
    'path "secret/data/*" { capabilities = ["create", "update"] }',
  );
  const answer = await page.send('POST', secretAt('app/db', '/compare-environments'), {
    body: { environment: 'test' },
  });
  expect(answer.json).toMatchObject({ code: 'forbidden' });
});
