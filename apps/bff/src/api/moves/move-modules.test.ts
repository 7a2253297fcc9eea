import type { RequestListener } from 'node:http';
import { archive, smallModule } from '@gatehouse/module-archive/testing/archives';
import { startServer, testPassword, type TestServer } from '@gatehouse/module-registry/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPaths, startAnswering } from '#test/answering-server.ts';
import type { Browser } from '#test/browser.ts';
import { answering } from '#test/fault-proxy.ts';
import { startModules, type ModulesConsole } from '#test/modules.ts';
import { act, copied, itemsOf, moveIn, moveOnce, planned, reportOf } from '#test/moves.ts';
import { sha256 } from '#test/publish.ts';

let source: TestServer;
let other: Awaited<ReturnType<typeof startAnswering>>;
let here: ModulesConsole;
let page: Browser;
beforeAll(async () => {
  source = await startServer();
  other = await startAnswering();
  here = await startModules({
    moves: { sources: [source.url, other.url] },
    bff: { retryDelaysMs: [10, 20] },
  });
  page = await here.signedIn();
});
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});

test('copies modules with every version and their deprecations', async () => {
  const bytes = smallModule();
  const client = await source.as('administrator');
  const versions = ['1.0.0', '1.1.0', '2.0.0-beta'];
  for (const version of versions) {
    const made = await client.send('PUT', `/v1/modules/acme/net/aws/${version}`, bytes);
    expect(made.status).toBeLessThan(300);
  }
  const said = { state: 'deprecated', message: 'Use 1.1.0', replacement: '1.1.0' };
  expect((await client.put('/v1/modules/acme/net/aws/1.0.0/deprecation', said)).status).toBe(200);

  const modules = { kind: 'modules' };
  const plan = await planned(page, source, ['acme'], modules);
  expect(plan).toMatchObject({
    state: 'planned',
    kind: 'modules',
    versions: 3,
    pieces: { missing: 3 },
    server_url: 'modules.example',
  });
  expect(await copied(page, plan.id)).toMatchObject({
    state: 'done',
    pieces: { copied: 3 },
    items: { finished: 1, usable: 1 },
  });
  const stored = await here.direct.get('/v1/modules/acme/net/aws/1.0.0');
  expect(stored.body).toMatchObject({
    archive: { sha256: sha256(bytes) },
    deprecation: { state: 'deprecated', message: 'Use 1.1.0' },
  });
  const { json } = await page.send('GET', '/api/environments/test/activity?resource_id=acme/net/aws/1.0.0');
  expect((json['items'] as { action: string }[]).map(({ action }) => action)).toEqual([
    'module-version.deprecate',
    'module-version.publish',
  ]);
  expect((await reportOf(page, plan.id)).map(({ state, sha256: sum }) => [state, sum])).toEqual(
    versions.map(() => ['copied', sha256(bytes)]),
  );
  // Another move recognizes copied versions by their checksums.
  moveIn(await act(page, plan.id, 'compare', { token: '' }));
  expect(await moveOnce(page, plan.id, ['planned'])).toMatchObject({ pieces: { here: 3, missing: 0 } });
});

test('calls no source for a user who may publish nothing here', async () => {
  const reader = await here.signedIn('read-only');
  const body = { kind: 'modules', address: source.url, token: '', wanted: ['acme'] };
  const refused = await reader.send('POST', '/api/environments/test/moves', { body });
  expect(refused.json).toMatchObject({
    code: 'forbidden',
    detail: "You aren't allowed to publish modules here.",
  });
});

test("calls no source while the registry here doesn't say whether the user may publish", async () => {
  const reader = await here.signedIn('read-only');
  const body = { kind: 'modules', address: source.url, token: '', wanted: ['acme'] };
  here.proxy.fault = answering(429);
  here.proxy.drop();
  const refused = await reader.send('POST', '/api/environments/test/moves', { body });
  here.proxy.fault = { kind: 'none' };
  expect(refused.json).toMatchObject({ code: 'rate-limited' });
});

test("pauses a plan of a module's many versions if its owner may no longer publish here", async () => {
  const { accounts, clock } = here.server;
  const loginName = 'leaving';
  const { id: account, version } = await accounts.create({
    loginName,
    password: testPassword,
    roles: { modules: 'operator' },
  });
  const at = await here.signedIn(loginName);
  const versions = Array.from({ length: 50 }, (_, index) => ({ version: `1.0.${index}` }));
  const paths = answeringPaths({
    '/.well-known/terraform.json': { 'modules.v1': '/v1/modules/' },
    '/v1/modules/acme/long/aws/versions': { modules: [{ versions }] },
  });
  let asked = 0;
  other.answer = (req, res) => {
    if (req.url?.endsWith('/download') !== true) return paths(req, res);
    asked += 1;
    const answer = () => res.writeHead(204, { 'x-terraform-get': '/archive.tgz' }).end();
    if (asked !== 3) return void answer();
    return void accounts.update(account, version, { roles: { modules: 'read-only' } }).then(() => {
      clock.advance(5_000);
      answer();
    });
  };
  const body = { kind: 'modules', address: other.url, token: '', wanted: ['acme/long/aws'] };
  const { id } = moveIn(await at.send('POST', '/api/environments/test/moves', { body }));
  const paused = await moveOnce(at, id, ['paused', 'planned']);
  expect(paused).toMatchObject({ state: 'paused', pause: { reason: 'forbidden' } });
  expect(asked).toBe(3);
});

test("doesn't deprecate a version that someone else publishes after the plan", async () => {
  const bytes = smallModule();
  const client = await source.as('administrator');
  const version = '/v1/modules/acme/raced/aws/1.0.0';
  await client.send('PUT', version, bytes);
  await client.put(`${version}/deprecation`, { state: 'deprecated', message: 'Old', replacement: '' });
  const plan = await planned(page, source, ['acme/raced'], { kind: 'modules' });
  expect((await here.direct.send('PUT', version, bytes)).status).toBeLessThan(300);
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { here: 1, copied: 0 } });
  expect((await here.direct.get(version)).body).toMatchObject({ deprecation: null });
});

test('keeps another archive that someone else publishes at the same time', async () => {
  const client = await source.as('administrator');
  const version = '/v1/modules/acme/overtaken/aws/1.0.0';
  await client.send('PUT', version, smallModule());
  const plan = await planned(page, source, ['acme/overtaken'], { kind: 'modules' });
  let publishing: Promise<unknown> | undefined;
  here.proxy.onRequest = (bytes) => {
    if (!bytes.toString('latin1').startsWith('PUT ')) return undefined;
    publishing ??= here.direct.send('PUT', version, archive({ 'main.tf': '# other' }));
    return publishing;
  };
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { clash: 1, copied: 0 } });
  delete here.proxy.onRequest;
});

/** A registry with one version of a module, whose archive is at this location. */
function registryOf(
  name: string,
  location: () => string,
  bytes: Uint8Array = smallModule(),
): RequestListener {
  const paths = answeringPaths({
    '/.well-known/terraform.json': { 'modules.v1': '/v1/modules/' },
    [`/v1/modules/field/${name}/aws`]: {
      id: `field/${name}/aws/1.0.0`,
      namespace: 'field',
      name,
      provider: 'aws',
      version: '1.0.0',
    },
    [`/v1/modules/field/${name}/aws/versions`]: { modules: [{ versions: [{ version: '1.0.0' }] }] },
  });
  return (req, res) => {
    if (req.url?.endsWith('/download') === true) res.writeHead(204, { 'x-terraform-get': location() }).end();
    else if (req.url?.includes('.tgz') === true) res.end(bytes);
    else paths(req, res);
  };
}

test.each([
  ['another checksum', `/a.tgz?checksum=sha256:${'a'.repeat(64)}`, 'failed', 'sha256'],
  ['a subfolder', '/a.tgz//modules/inner', 'not-copied', 'subfolder'],
])('copies no archive whose location names %s only during the copy', async (_what, later, state, why) => {
  let location = '/a.tgz';
  const name = state.replace('-', '');
  other.answer = registryOf(name, () => location);
  const plan = await planned(page, other, [`field/${name}/aws`], { kind: 'modules' });
  expect(plan.pieces).toMatchObject({ missing: 1 });
  location = later;
  await copied(page, plan.id);
  const [line] = await reportOf(page, plan.id);
  expect(line).toMatchObject({ state, detail: expect.stringContaining(why) });
});

test.each([
  ['text', Buffer.from('resource'), 'it is not gzip: pack the module as a .tar.gz file.'],
  ['cut', smallModule().subarray(0, -20), 'it ends early: its gzip data is cut off.'],
  ['moved', archive({ 'net/main.tf': '' }), 'it has no module at its root, but one in the folder net'],
])('says what is wrong with an archive that the registry refuses: %s', async (name, bytes, why) => {
  other.answer = registryOf(name, () => '/a.tgz', bytes);
  const plan = await planned(page, other, [`field/${name}/aws`], { kind: 'modules' });
  expect(await copied(page, plan.id)).toMatchObject({ pieces: { failed: 1 } });
  const [line] = await reportOf(page, plan.id);
  expect(line).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(`The archive was refused: ${why}`),
  });
});

test("lists modules in Git, with the reason why they aren't copied", async () => {
  const git = 'git::https://git.example/net?ref=v1.0.0';
  other.answer = registryOf('net', () => git);
  const plan = await planned(page, other, ['field/net/aws'], { kind: 'modules' });
  expect(plan).toMatchObject({ state: 'planned', pieces: { 'not-copied': 1 } });
  expect(await itemsOf(page, plan.id)).toMatchObject([{ clashes: [{ what: 'unreadable' }] }]);
  const [line] = await reportOf(page, plan.id);
  expect(line).toMatchObject({ state: 'not-copied', detail: expect.stringContaining('Git') });
});
