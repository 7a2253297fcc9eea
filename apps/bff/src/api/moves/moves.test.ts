import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  act,
  copied,
  imageAt,
  imagePath,
  itemsOf,
  moveIn,
  moveOnce,
  movesApi,
  planned,
  readMove,
  reportOf,
  seedBox,
  startMoves,
  versionsOf,
  type MovesConsole,
} from '#test/moves.ts';
import { startPostgres } from '#test/postgres.ts';
import { imageOf, sha256 } from '#test/publish.ts';

let moves: MovesConsole;
let page: Browser;
beforeAll(async () => {
  moves = await startMoves();
  page = await moves.here.signedIn();
});
afterAll(() => moves[Symbol.asyncDispose]());

const everything = {
  items: { kind: 'all-but', ids: [] },
  versions: { kind: 'all' },
  providers: null,
  architectures: null,
  owners: [],
  links: 'keep',
  privacy: 'as-there',
};
/** Saves a choice at the move's current revision. */
const choose = async (id: string, choice: object, revision?: string) =>
  page.send('PUT', `${movesApi}/${id}/choice`, {
    body: { ...everything, ...choice },
    revision: revision ?? (await readMove(page, id)).revision,
  });

test('plans boxes, and copies them with all their details', async () => {
  const { source, here } = moves;
  const [first, second, arm] = [imageOf(70_000, 1), imageOf(80_000, 2), imageOf(90_000, 3)];
  await seedBox(
    source,
    'plain',
    [
      { version: '1.0.0', images: [{ image: first, withChecksum: false }] },
      {
        version: '2.0.0',
        images: [
          { image: second, isDefault: true },
          { image: arm, architecture: 'arm64' },
          { image: 'https://images.example/a.box', provider: 'libvirt' },
        ],
      },
      { version: '0.9.0', status: 'revoked', images: [{ image: first }] },
      { version: '3.0.0', status: 'unreleased', images: [{ image: first }] },
    ],
    { description: 'All of *it*', is_private: true },
  );
  const plan = await planned(page, source, ['admin/plain'], { token: source.direct.token });
  expect(plan).toMatchObject({
    state: 'planned',
    source: { has_token: false, used_token: true },
    owner: { is_you: true },
    items: { total: 1, chosen: 1, finished: 0, usable: 0 },
    versions: 4,
    pieces: { missing: 6 },
  });
  expect((await here.direct.get('/api/v2/box/admin/plain')).status).toBe(404);
  const withoutToken = await act(page, plan.id, 'start', { token: '' });
  expect(withoutToken.json).toMatchObject({ code: 'invalid-request', fields: [{ path: 'token' }] });
  const done = await copied(page, plan.id, source.direct.token);
  expect(done).toMatchObject({
    state: 'done',
    items: { finished: 1, usable: 1 },
    pieces: { missing: 0, copied: 5, linked: 1 },
    bytes: { total: 380_000, copied: 380_000 },
    source: { has_token: false },
  });
  const { token } = here.direct;
  expect(await imageAt(here.server, token, imagePath('plain', '2.0.0'))).toBe(sha256(second));
  expect(await imageAt(here.server, token, imagePath('plain', '2.0.0', 'virtualbox', 'arm64'))).toBe(
    sha256(arm),
  );
  const box = await here.direct.get('/api/v2/box/admin/plain');
  expect(box.body).toMatchObject({
    short_description: 'The box plain',
    description_markdown: 'All of *it*',
    private: true,
  });
  const stored = box.body['versions'] as {
    version: string;
    status: string;
    description_markdown: string;
    providers: object[];
  }[];
  expect(stored.map(({ version, status }) => `${version} ${status}`).toSorted()).toEqual([
    '0.9.0 revoked',
    '1.0.0 active',
    '2.0.0 active',
    '3.0.0 unreleased',
  ]);
  const released = stored.find(({ version }) => version === '2.0.0');
  expect(released?.description_markdown).toBe('Changes of 2.0.0');
  expect(released?.providers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'virtualbox',
        architecture: 'amd64',
        default_architecture: true,
        checksum: sha256(second),
      }),
      expect.objectContaining({ name: 'virtualbox', architecture: 'arm64', default_architecture: false }),
      expect.objectContaining({ name: 'libvirt', original_url: 'https://images.example/a.box' }),
    ]),
  );
  // The source gave no checksum, so the console computed it.
  const [unsummed] = stored.find(({ version }) => version === '1.0.0')?.providers ?? [];
  expect(unsummed).toMatchObject({ checksum: sha256(first), checksum_type: 'sha256' });
  expect(
    (await versionsOf(page, plan.id, 'admin/plain')).map((one) => [one.version, one.status_here]),
  ).toEqual([
    ['3.0.0', 'unreleased'],
    ['2.0.0', 'active'],
    ['1.0.0', 'active'],
    ['0.9.0', 'revoked'],
  ]);
  const report = await reportOf(page, plan.id);
  expect(report).toHaveLength(6);
  expect(
    report.find(({ version, architecture }) => version === '2.0.0' && architecture === 'arm64'),
  ).toMatchObject({
    state: 'copied',
    sha256: sha256(arm),
    url_here: `${here.server.url}${imagePath('plain', '2.0.0', 'virtualbox', 'arm64')}`,
  });
});

test("copies only what is chosen, under the destination owners' names", async () => {
  const { source, here } = moves;
  const image = imageOf(20_000, 4);
  const images = [{ image }, { image, provider: 'libvirt' }, { image, architecture: 'arm64' }];
  const versions = ['1.0.0', '1.1.0', '2.0.0'].map((version) => ({ version, images }));
  await seedBox(source, 'chosen', versions);
  await seedBox(source, 'other', versions);
  const plan = await planned(page, source, ['admin/chosen', 'admin/other']);
  const [item] = await itemsOf(page, plan.id, '?q=chosen');
  const stale = await choose(plan.id, { links: 'copy' }, '999');
  expect([stale.status, stale.json['code']]).toEqual([409, 'conflict']);
  const { revision: seen } = await readMove(page, plan.id);
  const twoAtOnce = await Promise.all([
    choose(plan.id, { providers: ['virtualbox'] }, seen),
    choose(plan.id, { providers: [] }, seen),
  ]);
  expect(twoAtOnce.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
  expect(
    moveIn(
      await choose(plan.id, {
        items: { kind: 'only', ids: [item?.id] },
        versions: { kind: 'newest', count: 2 },
      }),
    ),
  ).toMatchObject({ pieces: { missing: 6, 'left-out': 12 }, versions: 2, items: { chosen: 1, total: 2 } });
  expect(
    moveIn(await choose(plan.id, { versions: { kind: 'since', version: '1.1' }, providers: ['virtualbox'] })),
  ).toMatchObject({ pieces: { missing: 8, 'left-out': 10 } });
  moveIn(
    await choose(plan.id, {
      items: { kind: 'only', ids: [item?.id] },
      versions: { kind: 'since', version: '2.0.0' },
      architectures: ['amd64'],
      owners: [{ from: 'admin', to: 'acme' }],
      privacy: 'private',
    }),
  );
  // The existing box under the new name is read first.
  expect(await moveOnce(page, plan.id, ['planned'])).toMatchObject({ pieces: { missing: 2 } });
  // Creating an owner conflicts with nothing.
  expect(await itemsOf(page, plan.id, '?show=clashes')).toEqual([]);
  const [renamed] = await itemsOf(page, plan.id, '?q=acme/chosen');
  expect(renamed).toMatchObject({
    name: 'admin/chosen',
    name_here: 'acme/chosen',
    clashes: [{ what: 'owner-created' }],
  });
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { copied: 2 } });
  const { body } = await here.direct.get('/api/v2/box/acme/chosen');
  expect(body).toMatchObject({ private: true });
  expect(
    (body['versions'] as { version: string; providers: { name: string }[] }[]).map(
      ({ version, providers }) => [version, providers.length],
    ),
  ).toEqual([['2.0.0', 2]]);
  expect((await here.direct.get('/api/v2/box/admin/other')).status).toBe(404);
});

test("copies the first of two items with one name, and says why the other isn't copied", async () => {
  const { source } = moves;
  const versions = [{ version: '1.0.0', images: [{ image: imageOf(1_000, 5) }] }];
  await seedBox(source, 'twin', versions);
  await source.direct.post('/api/v1/organizations', { organization: { username: 'twins' } });
  await source.direct.post('/api/v2/boxes', { box: { username: 'twins', name: 'twin', is_private: false } });
  await source.direct.post('/api/v2/box/twins/twin/versions', { version: { version: '1.0.0' } });
  await source.direct.post('/api/v2/box/twins/twin/version/1.0.0/providers', {
    provider: { name: 'virtualbox', url: 'https://images.example/twin.box' },
  });
  const plan = await planned(page, source, ['admin/twin', 'twins'], { token: source.direct.token });
  moveIn(await choose(plan.id, { owners: [{ from: 'twins', to: 'admin' }] }));
  await moveOnce(page, plan.id, ['planned']);
  const items = await itemsOf(page, plan.id, '?show=clashes');
  expect(items.map(({ name, clashes }) => [name, clashes.map(({ what }) => what)])).toEqual([
    ['twins/twin', ['same-name']],
  ]);
  expect(await readMove(page, plan.id)).toMatchObject({ pieces: { missing: 1, 'not-copied': 1 } });
  await act(page, plan.id, 'abandon');
});

test('overwrites nothing that exists, and finds what is missing when comparing again', async () => {
  const { source, here } = moves;
  const [same, ours, theirs] = [imageOf(30_000, 6), imageOf(30_000, 7), imageOf(30_000, 8)];
  await seedBox(source, 'followed', [
    { version: '1.0.0', images: [{ image: same }] },
    { version: '1.1.0', images: [{ image: theirs }] },
  ]);
  await seedBox(here, 'followed', [
    { version: '1.0.0', images: [{ image: same }] },
    { version: '1.1.0', images: [{ image: ours }] },
  ]);
  const plan = await planned(page, source, ['admin/followed']);
  expect(plan).toMatchObject({
    pieces: { here: 1, clash: 1, missing: 0 },
    items: { usable: 0, with_clashes: 1 },
  });
  const [item] = await itemsOf(page, plan.id, '?show=differs');
  expect(item?.clashes).toMatchObject([{ what: 'piece-differs', done: 'The images here are kept.' }]);
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { clash: 1, copied: 0 } });
  // The address of another image is no address of this one.
  expect((await reportOf(page, plan.id)).map((line) => [line.state, line.url_here !== ''])).toEqual([
    ['clash', false],
    ['here', true],
  ]);
  expect(await imageAt(here.server, here.direct.token, imagePath('followed', '1.1.0'))).toBe(sha256(ours));

  const at = '/api/v2/box/admin/followed';
  await source.direct.post(`${at}/versions`, { version: { version: '2.0.0' } });
  await source.direct.post(`${at}/version/2.0.0/providers`, {
    provider: { name: 'virtualbox', architecture: 'amd64' },
  });
  const { body } = await source.direct.get(`${at}/version/2.0.0/provider/virtualbox/amd64/upload`);
  await fetch(String(body['upload_path']), { method: 'PUT', body: new Uint8Array(theirs) });
  await source.direct.put(`${at}/version/2.0.0/release`, {});
  moveIn(await act(page, plan.id, 'compare', { token: '' }));
  const compared = await moveOnce(page, plan.id, ['planned']);
  expect(compared).toMatchObject({ pieces: { here: 1, clash: 1, missing: 1 } });
  expect((await here.direct.get(`${at}/version/2.0.0`)).status).toBe(404);
  expect(await copied(page, plan.id)).toMatchObject({
    state: 'done',
    pieces: { copied: 1 },
    items: { usable: 1 },
  });
  expect(await imageAt(here.server, here.direct.token, imagePath('followed', '2.0.0'))).toBe(sha256(theirs));
});

test('a copy can be paused, is seen by others, and can be resumed by any publisher, who becomes its owner', async () => {
  const { source, here } = moves;
  const owner = await here.signedIn();
  const image = imageOf(2_500_000, 9);
  await seedBox(source, 'shared', [{ version: '1.0.0', images: [{ image }] }], { username: 'admin' });
  const plan = await planned(page, source, ['admin/shared'], { token: source.direct.token });
  moveIn(await choose(plan.id, { owners: [{ from: 'admin', to: 'operator' }] }));
  await moveOnce(page, plan.id, ['planned']);
  source.proxy.fault = { kind: 'silence' };
  source.proxy.drop();
  moveIn(await act(owner, plan.id, 'start', { token: source.direct.token }));
  expect(await readMove(page, plan.id)).toMatchObject({ state: 'copying', source: { has_token: true } });
  const paused = moveIn(await act(page, plan.id, 'pause'));
  expect(paused).toMatchObject({
    state: 'paused',
    pause: { reason: 'person', while: 'copying' },
    source: { has_token: false, used_token: true },
    pieces: { copying: 0 },
  });
  const other = await here.signedIn('operator');
  const seen = await readMove(other, plan.id);
  expect(seen).toMatchObject({
    owner: { is_you: false },
    log: [],
    wanted: [],
    choice: { owners: [] },
    found: { owners: [] },
  });
  const listed = await other.send('GET', movesApi);
  expect((listed.json['moves'] as { id: string }[]).some(({ id }) => id === plan.id)).toBe(true);
  for (const path of ['/items', '/report']) {
    const answer = await other.send('GET', `${movesApi}/${plan.id}${path}`);
    expect([answer.status, answer.json['code']]).toEqual([403, 'forbidden']);
  }
  expect((await act(other, plan.id, 'abandon')).status).toBe(403);
  const onPurpose = await act(other, plan.id, 'resume', { token: '' });
  expect([onPurpose.status, onPurpose.json['detail']]).toEqual([
    403,
    expect.stringContaining('so nobody else can resume it'),
  ]);

  using database = new DatabaseSync(join(here.console.dataDir, 'console.db'));
  const pieces = database.prepare('SELECT state, received FROM move_piece WHERE move_id = ?');
  // Only a part of the image arrives.
  source.proxy.fault = { kind: 'cut', atByte: 1_500_000 };
  source.proxy.drop();
  source.proxy.onRequest = (bytes) => {
    if (/^GET \S+\/virtualbox\b/.test(bytes.toString('latin1'))) source.proxy.fault = { kind: 'hang up' };
  };
  moveIn(await act(owner, plan.id, 'resume', { token: source.direct.token }));
  await expect.poll(() => pieces.get(plan.id)?.['received']).toBeGreaterThan(0);
  await owner.send('DELETE', '/api/session?stop_deliveries=true');
  await moveOnce(page, plan.id, ['paused']);
  const reader = await here.signedIn('read-only');
  const refused = await act(reader, plan.id, 'resume', { token: '' });
  expect([refused.status, refused.json['detail']]).toEqual([
    403,
    expect.stringContaining('allowed to publish'),
  ]);
  expect(await readMove(page, plan.id)).toMatchObject({ state: 'paused', owner: { is_you: true } });

  delete source.proxy.onRequest;
  source.proxy.fault = { kind: 'none' };
  source.proxy.drop();
  const received = Number(pieces.get(plan.id)?.['received']);
  expect(received).toBeGreaterThan(0);
  moveIn(await act(other, plan.id, 'resume', { token: '' }));
  // The previous owner's tokens may have shown more, so the move is planned again with the new owner's.
  expect(await moveOnce(other, plan.id, ['planned', 'paused'])).toMatchObject({
    state: 'planned',
    owner: { is_you: true },
    pieces: { missing: 1 },
  });
  expect(pieces.all(plan.id)).toEqual([{ state: 'missing', received }]);
  expect((await copied(other, plan.id)).pieces).toMatchObject({ copied: 1 });
  expect((await act(page, plan.id, 'compare', { token: '' })).status).toBe(403);
  const stranger = moves.here.console.browser();
  expect((await stranger.send('GET', `${movesApi}/${plan.id}`)).status).toBe(401);
});

test('names what failed, and can retry it individually', async () => {
  const { source } = moves;
  const image = imageOf(50_000, 10);
  await seedBox(source, 'failing', [
    { version: '1.0.0', images: [{ image }, { image, provider: 'libvirt' }] },
  ]);
  await seedBox(source, 'empty', []);
  const plan = await planned(page, source, ['admin/failing', 'admin/empty', 'admin/unknown']);
  expect(await itemsOf(page, plan.id, '?q=unknown')).toMatchObject([
    { problem: { code: 'not-found' }, clashes: [{ what: 'unreadable' }] },
  ]);
  // Makes the box private, so the source no longer shows it.
  await source.direct.put('/api/v2/box/admin/failing', { box: { is_private: true } });
  const failed = await copied(page, plan.id);
  expect(failed).toMatchObject({
    state: 'done',
    pieces: { failed: 2 },
    items: { chosen: 3, unread: 1, to_copy: 1, copied: 0, with_clashes: 0 },
  });
  expect((await itemsOf(page, plan.id, '?show=failed')).map(({ name }) => name)).toEqual([
    'admin/failing',
    'admin/unknown',
  ]);
  const [unread, line] = await reportOf(page, plan.id);
  expect(unread).toMatchObject({ item: 'admin/unknown', version: '', state: 'failed' });
  expect(unread?.['detail']).toContain("doesn't have this");
  expect(line).toMatchObject({ state: 'failed', detail: expect.stringContaining('private'), url_here: '' });
  await source.direct.put('/api/v2/box/admin/failing', { box: { is_private: false } });
  const [item] = await itemsOf(page, plan.id, '?show=failed');
  moveIn(await act(page, plan.id, 'retry', { item: item?.id, token: '' }));
  expect(await moveOnce(page, plan.id, ['done'])).toMatchObject({
    pieces: { failed: 0, copied: 2 },
    items: { to_copy: 0, copied: 1 },
  });
  moveIn(await act(page, plan.id, 'abandon'));
  expect((await act(page, plan.id, 'resume', { token: '' })).json['code']).toBe('invalid-request');
});

test("pauses when the source doesn't respond for ten minutes, and when it requires another token", async () => {
  const { source, here } = moves;
  await seedBox(source, 'silent', [{ version: '1.0.0', images: [{ image: imageOf(1_000, 11) }] }]);
  const plan = await planned(page, source, ['admin/silent'], { token: source.direct.token });
  source.proxy.fault = { kind: 'hang up' };
  source.proxy.drop();
  const before = source.proxy.accepted;
  moveIn(await act(page, plan.id, 'start', { token: source.direct.token }));
  await expect.poll(() => source.proxy.accepted).toBeGreaterThan(before + 2);
  here.server.clock.advance(10 * 60_000);
  expect(await moveOnce(page, plan.id, ['paused'])).toMatchObject({ pause: { reason: 'unreachable' } });
  source.proxy.fault = { kind: 'none' };
  source.proxy.drop();
  const other = await moves.here.signedIn();
  moveIn(await act(other, plan.id, 'resume', { token: 'another-token' }));
  expect(await moveOnce(other, plan.id, ['paused'])).toMatchObject({ pause: { reason: 'source-token' } });
  moveIn(await act(other, plan.id, 'resume', { token: '' }));
  await moveOnce(other, plan.id, ['done']);
  page = other;
});

test('pauses when its owner is disabled, and when they sign out and stop their work', async () => {
  const { source, here } = moves;
  await seedBox(source, 'owned', [{ version: '1.0.0', images: [{ image: imageOf(300_000, 12) }] }]);
  const operator = await here.signedIn('operator');
  const plan = await planned(operator, source, ['admin/owned']);
  // What the owner may not publish isn't started.
  expect(await itemsOf(operator, plan.id)).toMatchObject([
    { clashes: [{ what: 'owner-refused' }], pieces: { 'not-copied': 1 } },
  ]);
  moveIn(
    await operator.send('PUT', `${movesApi}/${plan.id}/choice`, {
      body: { ...everything, owners: [{ from: 'admin', to: 'operator' }] },
      revision: (await readMove(operator, plan.id)).revision,
    }),
  );
  await moveOnce(operator, plan.id, ['planned']);
  source.proxy.fault = { kind: 'silence' };
  source.proxy.drop();
  moveIn(await act(operator, plan.id, 'start', { token: '' }));
  await operator.send('DELETE', '/api/session?stop_deliveries=true');
  expect(await moveOnce(page, plan.id, ['paused'])).toMatchObject({ pause: { reason: 'token-ended' } });

  const again = await here.signedIn('operator');
  moveIn(await act(again, plan.id, 'resume', { token: '' }));
  const { accounts } = here.server;
  const account = accounts.list().find(({ loginName }) => loginName === 'operator');
  await accounts.update(account?.id ?? '', account?.version ?? 0, { disabled: true });
  source.proxy.fault = { kind: 'none' };
  source.proxy.drop();
  expect(await moveOnce(page, plan.id, ['paused', 'done'])).toMatchObject({
    state: 'paused',
    pause: { reason: 'token-ended', while: 'copying' },
  });
});

test('accepts as many names as a move may have, and refuses one more with a reason', async () => {
  const begin = async (count: number) => {
    const wanted = Array.from({ length: count }, (_, n) => `owner-${n}/${'box'.repeat(100)}`);
    const body = { kind: 'boxes', address: 'http://boxes.example', token: '', wanted };
    return (await page.send('POST', movesApi, { body })).json['fields'];
  };
  expect(await begin(10_000)).toMatchObject([{ path: 'address' }]);
  expect(await begin(10_001)).toMatchObject([{ path: 'wanted', message: expect.stringContaining('10000') }]);
});

test('calls no source for a user who may publish nothing here', async () => {
  const { source, here } = moves;
  const reader = await here.signedIn('read-only');
  let calls = 0;
  source.proxy.onRequest = () => {
    calls += 1;
  };
  const body = { kind: 'boxes', address: source.url, token: '', wanted: ['admin/plain'] };
  const refused = await reader.send('POST', movesApi, { body });
  expect(refused.json).toMatchObject({
    code: 'forbidden',
    detail: "You aren't allowed to publish boxes here.",
  });
  expect((await reader.send('GET', movesApi)).text).not.toContain('"is_you":true');
  delete source.proxy.onRequest;
  expect(calls).toBe(0);
});

test("refuses addresses that the console doesn't call, and nonexistent moves", async () => {
  const begin = async (address: string) =>
    (await page.send('POST', movesApi, { body: { kind: 'boxes', address, token: '', wanted: ['admin'] } }))
      .json;
  expect(await begin('http://boxes.example')).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'address', message: expect.stringContaining("isn't https") }],
  });
  expect(await begin('https://127.0.0.1:8443')).toMatchObject({ code: 'invalid-request' });
  expect((await page.send('GET', `${movesApi}/mv_bnone`)).json).toMatchObject({ code: 'not-found' });
  expect((await act(page, 'mv_bnone', 'start', { token: '' })).json).toMatchObject({ code: 'not-found' });
});

const postgres = await startPostgres();
afterAll(() => postgres?.close());

test.skipIf(postgres === undefined)('chooses, counts and copies the same on PostgreSQL', async () => {
  await using own = await startMoves({ databaseUrl: (await postgres?.database()) ?? '' });
  const { source, here } = own;
  const image = imageOf(3_000, 20);
  const versions = ['1.0.0', '1.1.0'].map((version) => ({
    version,
    images: [{ image }, { image, architecture: 'arm64', withChecksum: false }],
  }));
  await seedBox(source, 'elsewhere', versions);
  await seedBox(source, 'left', versions);
  page = await here.signedIn();
  const plan = await planned(page, source, ['admin']);
  expect(plan).toMatchObject({ pieces: { missing: 8 }, items: { total: 2 }, bytes: { total: 24_000 } });
  const [left] = await itemsOf(page, plan.id, '?q=LEFT&show=missing');
  moveIn(
    await choose(plan.id, {
      items: { kind: 'all-but', ids: [left?.id] },
      versions: { kind: 'since', version: '1.1.0' },
      architectures: ['arm64'],
      owners: [{ from: 'admin', to: 'acme' }],
    }),
  );
  expect(await moveOnce(page, plan.id, ['planned'])).toMatchObject({
    pieces: { missing: 1, 'left-out': 7 },
    versions: 1,
  });
  expect(await copied(page, plan.id)).toMatchObject({
    state: 'done',
    pieces: { copied: 1 },
    items: { chosen: 1, finished: 1, usable: 1 },
    bytes: { total: 3_000, copied: 3_000 },
  });
  expect(await reportOf(page, plan.id)).toHaveLength(8);
  expect(await itemsOf(page, plan.id, '?show=differs')).toHaveLength(2);
  moveIn(await act(page, plan.id, 'compare', { token: '' }));
  expect(await moveOnce(page, plan.id, ['planned'])).toMatchObject({ pieces: { here: 1 } });
});
