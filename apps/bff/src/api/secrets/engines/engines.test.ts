import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let live: SecretsConsole;
let admin: Browser;

beforeAll(async () => {
  live = await startSecrets();
  admin = await live.signedIn();
  await confirmAs(admin, testPassword);
});
afterAll(() => live[Symbol.asyncDispose]());

const mount = (body: object, page = admin) =>
  page.send('POST', `${secretsApi}/mounts`, {
    body: { mount: 'team/kv', description: 'of the team', ...body },
  });

test('a key-value engine is mounted once, keeps versions, and is listed', async () => {
  expect((await mount({})).json).toMatchObject({
    path: 'team/kv',
    description: 'of the team',
    version: 2,
    may: { list: true, change_settings: true },
  });
  expect((await mount({ description: 'another' })).json).toMatchObject({
    code: 'conflict',
    conflict: { reason: 'created', current: { path: 'team/kv', description: 'of the team' } },
  });
  const answers = await Promise.all([mount({ mount: 'both' }), mount({ mount: 'both' })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const written = await admin.send('POST', secretAt('app/db', '', 'team/kv'), { body: { data: '{"a":1}' } });
  expect(written.json).toMatchObject({ revision: '1' });
  const list = await admin.send('GET', `${secretsApi}/mounts`);
  expect(list.json).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ path: 'team/kv' })]),
    may_mount: true,
  });
});

test('mounting an engine reads the rights only for its answer', async () => {
  let asked = 0;
  live.proxy.onRequest = (bytes) => (asked += bytes.includes('sys/capabilities-self ') ? 1 : 0);
  expect((await mount({ mount: 'rights' })).json).toMatchObject({ may: { list: true } });
  delete live.proxy.onRequest;
  expect(asked).toBe(1);
});

test('a path that is taken by another engine, reserved or below an engine is refused at its field', async () => {
  await live.direct.write('sys/mounts/clouds', { type: 'cloud' });
  for (const path of ['clouds', 'sys', 'team/kv/below', 'team'])
    expect((await mount({ mount: path })).json, path).toMatchObject({
      code: 'invalid-request',
      fields: expect.arrayContaining([{ path: 'mount', message: expect.any(String) }]),
    });
  expect((await mount({ mount: 'x', description: 'x'.repeat(501) })).json).toMatchObject({
    fields: [{ path: 'description' }],
  });
});

test('an engine is unmounted with all its secrets, unless its settings have changed since', async () => {
  await mount({ mount: 'old' });
  await admin.send('POST', secretAt('app/db', '', 'old'), { body: { data: '{"a":1}' } });
  const settings = `${secretsApi}/mounts/old/settings`;
  const seen = (await admin.send('GET', settings)).json;
  expect(seen).toMatchObject({ may: { change: true, unmount: true } });
  const reader = await live.signedIn('read-only');
  expect((await reader.send('GET', settings)).json).toMatchObject({ may: { unmount: false } });
  const unmount = (revision: unknown, page = admin) =>
    page.send('DELETE', settings, { headers: { 'if-match': `"${String(revision)}"` } });
  expect((await unmount(seen['revision'], reader)).json).toMatchObject({ code: 'forbidden' });
  await live.direct.write('old/config', { max_versions: 3 });
  expect((await unmount(seen['revision'])).json).toMatchObject({
    code: 'conflict',
    conflict: { reason: 'modified', current: { max_versions: 3 } },
  });
  const now = (await admin.send('GET', settings)).json['revision'];
  // Another engine with the same settings is another one.
  await live.direct.delete('sys/mounts/old');
  await mount({ mount: 'old' });
  await live.direct.write('old/config', { max_versions: 3 });
  expect((await unmount(now)).json).toMatchObject({ code: 'conflict' });
  await live.direct.delete('sys/mounts/old');
  await mount({ mount: 'old' });
  const last = (await admin.send('GET', settings)).json['revision'];
  expect((await unmount(last)).status).toBe(204);
  expect((await unmount(last)).json).toMatchObject({ code: 'not-found' });
  expect((await admin.send('GET', `${secretsApi}/mounts`)).text).not.toContain('"old"');
  await mount({ mount: 'old' });
  expect((await admin.send('GET', secretAt('app/db', '', 'old'))).json).toMatchObject({ code: 'not-found' });
});

test('a write to an engine that is no longer mounted names it, and so does a read of its settings', async () => {
  await mount({ mount: 'gone' });
  const secret = secretAt('app/db', '', 'gone');
  const metadata = `${secretsApi}/mounts/gone/metadata/app%2Fdb`;
  const fields = { max_versions: 3, cas_required: false, delete_version_after: '0s', custom_metadata: {} };
  await live.direct.delete('sys/mounts/gone');
  for (const answer of [
    await admin.send('POST', secret, { body: { data: '{"a":1}' } }),
    await admin.send('PUT', secret, { revision: '0', body: { data: '{"a":1}' } }),
    await admin.send('PUT', metadata, { revision: 'none', body: fields }),
    await admin.send('GET', `${secretsApi}/mounts/gone/settings`),
  ])
    expect(answer.json).toMatchObject({
      code: 'not-found',
      detail: 'No engine is mounted at "gone". Check the path, or choose another engine.',
    });
});

test('an engine is described by those who may tune it, and its settings are changed by those who may configure it', async () => {
  await mount({ mount: 'told' });
  const settings = `${secretsApi}/mounts/told/settings`;
  const change = async (body: object, page = admin) => {
    const { revision, max_versions, cas_required, delete_version_after } = (await page.send('GET', settings))
      .json;
    return page.send('PUT', settings, {
      headers: { 'if-match': `"${String(revision)}"` },
      body: { max_versions, cas_required, delete_version_after, ...body },
    });
  };
  expect((await change({ description: 'secrets of the team' })).json).toMatchObject({
    description: 'secrets of the team',
    max_versions: 0,
    may: { describe: true },
  });
  expect((await admin.send('GET', `${secretsApi}/mounts`)).json['items']).toContainEqual(
    expect.objectContaining({ path: 'told', description: 'secrets of the team' }),
  );
  const configures = 'path "told/config" { capabilities = ["read", "update"] }';
  const configurer = await live.withPolicy('configurer', configures);
  expect((await change({ max_versions: 7 }, configurer)).json).toMatchObject({
    description: 'secrets of the team',
    max_versions: 7,
    may: { change: true, describe: false },
  });
  // Nothing is changed if a part of it is refused.
  expect((await change({ description: 'x', max_versions: 5 }, configurer)).json).toMatchObject({
    code: 'forbidden',
  });
  expect((await admin.send('GET', settings)).json).toMatchObject({ max_versions: 7 });
  expect((await change({ description: 'x'.repeat(501) })).json).toMatchObject({
    fields: [{ path: 'description' }],
  });
  // A description that was changed elsewhere is a conflict too.
  const { revision } = (await admin.send('GET', settings)).json;
  await live.direct.write('sys/mounts/told/tune', { description: 'of someone else' });
  const body = { max_versions: 1, cas_required: false, delete_version_after: '0s' };
  expect(
    (await admin.send('PUT', settings, { headers: { 'if-match': `"${String(revision)}"` }, body })).json,
  ).toMatchObject({ code: 'conflict', conflict: { current: { description: 'of someone else' } } });
});

test("users whose policies don't allow it learn so before and after", async () => {
  const reader = await live.signedIn('read-only');
  expect((await reader.send('GET', `${secretsApi}/mounts`)).json).toMatchObject({ may_mount: false });
  expect((await mount({ mount: 'x' }, reader)).json).toMatchObject({ code: 'forbidden' });
  for (const [path, may_mount] of [
    ['mine/*', true],
    ['mine', true],
    ['secret/tune', false],
  ] as const) {
    const policy = `path "sys/mounts/${path}" { capabilities = ["create", "update"] }`;
    const page = await live.withPolicy(path.replaceAll(/\W/g, '-'), policy);
    for (const list of ['mounts', 'cloud'])
      expect((await page.send('GET', `${secretsApi}/${list}`)).json, path).toMatchObject({ may_mount });
  }
});

test('users who can mount an engine but not see it learn that it is mounted', async () => {
  const mounter = await live.withPolicy(
    'mounter',
    'path "sys/mounts/blind/*" { capabilities = ["create", "update"] }',
    true,
  );
  expect((await mount({ mount: 'blind/one' }, mounter)).json).toEqual({
    path: 'blind/one',
    description: 'of the team',
    version: 2,
    may: null,
  });
  const activity = '/api/environments/test/activity';
  const entriesOf = async (id: string) =>
    (await mounter.send('GET', `${activity}?resource_id=${encodeURIComponent(id)}`)).json['items'];
  expect(await entriesOf('blind/one')).toMatchObject([{ outcome: 'succeeded' }]);
  // If the answer is lost, the engine may be mounted, although the list doesn't show it.
  live.proxy.onRequest = (bytes) => {
    if (bytes.toString('latin1').startsWith('POST /v1/sys/mounts/')) live.proxy.cutNext = 0;
  };
  expect((await mount({ mount: 'blind/two' }, mounter)).json).toMatchObject({ code: 'outcome-unknown' });
  delete live.proxy.onRequest;
  const [entry] = (await entriesOf('blind/two')) as { sequence: number }[];
  expect((await mounter.send('POST', `${activity}/${entry?.sequence}/settle`)).json).toMatchObject({
    outcome: 'unknown',
    can_settle: true,
  });
});
