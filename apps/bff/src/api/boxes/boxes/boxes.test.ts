import { createHash } from 'node:crypto';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { createLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxAt, boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { confirmAs, signInAs } from '#test/console.ts';
import { downloadsPath } from '#uploads/download-ticket.ts';

let boxes: BoxesConsole;
let admin: Browser;

beforeAll(async () => {
  boxes = await startBoxes();
  admin = await boxes.signedIn();
});
afterAll(() => boxes[Symbol.asyncDispose]());

const fields = (name: string) => ({
  name,
  short_description: 'Ubuntu',
  description: '# Hello\n<script>alert(1)</script>',
  is_private: true,
});

async function create(name: string, owner = 'admin'): Promise<BrowserAnswer> {
  const answer = await admin.send('POST', `${boxesApi}/owners/${owner}/boxes`, { body: fields(name) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
}

/** The architecture of a provider that was created without one. */
const plain = { architecture: 'unknown', is_default: true };

const revisionOf = ({ json }: BrowserAnswer): string => String(json['revision']);
/** The revision that guards a deletion. */
const wholeOf = ({ json }: BrowserAnswer): string => String(json['whole_revision']);
const codeOf = ({ status, json }: BrowserAnswer): unknown[] => [status, json['code']];

describe('boxes', () => {
  test("are written if only the user's rights can't be read afterwards", async () => {
    boxes.proxy.onRequest = (bytes) => {
      if (bytes.includes('/namespaces/admin ')) boxes.proxy.drop();
    };
    const made = await create('unread');
    expect(made.json).toMatchObject({ tag: 'admin/unread', may: null });
    const revision = revisionOf(made);
    const body = { short_description: 'Debian' };
    const changed = await admin.send('PATCH', boxAt('admin/unread'), { revision, body });
    delete boxes.proxy.onRequest;
    expect(changed.json).toMatchObject({ short_description: 'Debian', may: null });
  });

  test('are created, read with raw Markdown, changed, renamed and deleted', async () => {
    const made = await create('life');
    expect(made.json).toMatchObject({
      tag: 'admin/life',
      username: 'admin',
      is_private: true,
      description: '# Hello\n<script>alert(1)</script>',
      current_version: null,
      versions: [],
      may: { publish: true, manage: false },
      server_url: boxes.server.url,
    });
    const read = await admin.send('GET', boxAt('admin/life'));
    expect(read.json).toEqual(made.json);
    const changed = await admin.send('PATCH', boxAt('admin/life'), {
      revision: revisionOf(made),
      body: { name: 'lived', short_description: 'Debian' },
    });
    expect(changed.json).toMatchObject({ tag: 'admin/lived', short_description: 'Debian' });
    const activity = '/api/environments/test/activity';
    const [{ sequence }] = (await admin.send('GET', `${activity}?action=box.update&q=lived`)).json[
      'items'
    ] as [{ sequence: number }];
    expect((await admin.send('GET', `${activity}/${sequence}`)).json['values']).toEqual([
      { path: 'name', before: 'life', after: 'lived' },
      { path: 'short_description', before: 'Ubuntu', after: 'Debian' },
    ]);
    expect(codeOf(await admin.send('GET', boxAt('admin/life')))).toEqual([404, 'not-found']);
    const removed = await admin.send('DELETE', boxAt('admin/lived'), { revision: wholeOf(changed) });
    expect(removed.status).toBe(204);
    expect(codeOf(await admin.send('DELETE', boxAt('admin/lived'), { revision: 'x' }))).toEqual([
      404,
      'not-found',
    ]);
  });

  test("are not deleted with a version or provider that the user hasn't seen", async () => {
    const empty = await create('whole');
    await boxes.direct.post('/api/v1/box/admin/whole/versions', { version: { version: '1.0.0' } });
    const box = await admin.send('DELETE', boxAt('admin/whole'), { revision: wholeOf(empty) });
    expect([box.status, box.json['conflict']]).toMatchObject([
      409,
      { reason: 'modified', current: { versions: [{ version: '1.0.0' }] } },
    ]);
    const version = `${boxAt('admin/whole')}/versions/1.0.0`;
    const bare = await admin.send('GET', version);
    const provider = { name: 'libvirt', url: 'https://images.example.com/x.box' };
    await boxes.direct.post('/api/v1/box/admin/whole/version/1.0.0/providers', { provider });
    expect(codeOf(await admin.send('DELETE', version, { revision: wholeOf(bare) }))).toEqual([
      409,
      'conflict',
    ]);
    const seen = await admin.send('GET', version);
    // The version's own fields are unchanged, so someone else's provider doesn't block edits to them.
    expect(revisionOf(seen)).toBe(revisionOf(bare));
    expect((await admin.send('DELETE', version, { revision: wholeOf(seen) })).status).toBe(204);
    expect((await admin.send('DELETE', boxAt('admin/whole'), { revision: wholeOf(empty) })).status).toBe(204);
  });

  test('that already exist are a conflict with the existing box', async () => {
    await create('twice');
    const again = await admin.send('POST', `${boxesApi}/owners/admin/boxes`, {
      body: { ...fields('twice'), description: 'other' },
    });
    expect(again.json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: { tag: 'admin/twice', short_description: 'Ubuntu' } },
    });
  });

  test('that someone else has changed are not overwritten', async () => {
    const made = await create('shared');
    await boxes.direct.put('/api/v1/box/admin/shared', { box: { description: 'theirs' } });
    const mine = await admin.send('PATCH', boxAt('admin/shared'), {
      revision: revisionOf(made),
      body: { description: 'mine' },
    });
    expect(mine.json).toMatchObject({
      code: 'conflict',
      conflict: {
        reason: 'modified',
        resource: { kind: 'box', id: 'admin/shared' },
        current: { description: 'theirs' },
      },
    });
    expect((await admin.send('GET', boxAt('admin/shared'))).json['description']).toBe('theirs');
    const removal = await admin.send('DELETE', boxAt('admin/shared'), { revision: wholeOf(made) });
    expect(removal.json['code']).toBe('conflict');
    expect(codeOf(await admin.send('PATCH', boxAt('admin/shared'), { body: {} }))).toEqual([
      428,
      'revision-required',
    ]);
  });

  test('are changed by one of two users at a time, also in two environments that use one registry', async () => {
    const endpoint = { kind: 'url', url: new URL(`http://127.0.0.1:${boxes.proxy.port}/`) } as const;
    const also = {
      id: 'also',
      name: 'Also',
      kind: 'development',
      sharedAccounts: false,
      services: { boxes: { endpoint, signIn: ['password'] } },
    } as const;
    using folder = temporaryFolder();
    const console = await boxes.another({ dataDir: folder.path, others: [also] });
    const [one, other] = [console.browser(), console.browser()];
    await signInAs(one, 'admin', testPassword, 'boxes');
    await signInAs(other, 'admin', testPassword, 'boxes', 'also');
    const revision = revisionOf(await create('twofold'));
    const at = boxAt('admin/twofold');
    const elsewhere = at.replace('/test/', '/also/');
    const held = Promise.withResolvers<void>();
    let writes = 0;
    boxes.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return undefined;
      writes += 1;
      return writes === 1 ? held.promise : undefined;
    };
    const first = one.send('PATCH', at, { revision, body: { description: 'one' } });
    await expect.poll(() => writes).toBe(1);
    const second = other.send('PATCH', elsewhere, { revision, body: { description: 'other' } });
    // It would have been written meanwhile.
    for (let read = 0; read < 20; read += 1) await other.send('GET', elsewhere);
    held.resolve();
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    delete boxes.proxy.onRequest;
    await console.close();
  });

  test('a user who may not change them can fill the trail no faster with what changes nothing', async () => {
    const body = { ...fields('filled'), is_private: false };
    const made = await admin.send('POST', `${boxesApi}/owners/admin/boxes`, { body });
    using folder = temporaryFolder();
    const console = await boxes.another({ dataDir: folder.path });
    const reader = console.browser();
    await signInAs(reader, 'read-only', testPassword, 'boxes');
    const send = (text: unknown, revision = 'stale') =>
      reader.send('PATCH', boxAt('admin/filled'), { revision, body: { short_description: text } });
    expect((await send('another', revisionOf(made))).status).toBe(403);
    for (let sent = 1; sent < 300; sent += 1) expect((await send(body.short_description)).status).toBe(200);
    expect((await send(body.short_description)).json['code']).toBe('rate-limited');
    await console.close();
  });

  test('have one history, whatever spelling their changes used', async () => {
    const made = await create('cased');
    const change = (revision: string, short_description: string) =>
      admin.send('PATCH', boxAt('ADMIN/CASED'), { revision, body: { short_description } });
    expect((await change(revisionOf(made), 'Debian')).status).toBe(200);
    for (const name of ['admin/cased', 'Admin/Cased']) {
      const path = `/api/environments/test/activity?resource_id=${encodeURIComponent(name)}`;
      const { json } = await admin.send('GET', path);
      expect(json['items']).toMatchObject([{ action: 'box.update' }, { action: 'box.create' }]);
    }
    const stale = await admin.send('PATCH', boxAt('admin/cased'), {
      revision: revisionOf(made),
      body: { short_description: 'Arch' },
    });
    expect(stale.json).toMatchObject({ conflict: { changedBy: 'admin' } });
  });

  test('are changed if only the answer was lost', async () => {
    const made = await create('lost');
    let writes = 0;
    boxes.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return;
      writes += 1;
      boxes.proxy.cutNext = 0;
    };
    const changed = await admin.send('PATCH', boxAt('admin/lost'), {
      revision: revisionOf(made),
      body: { name: 'found', description: 'mine' },
    });
    delete boxes.proxy.onRequest;
    expect([changed.status, changed.json['tag'], writes]).toEqual([200, 'admin/found', 1]);
  });

  test("of other users don't exist for the caller, and forbidden changes are reported as such", async () => {
    await create('hidden');
    const operator = await boxes.signedIn('operator');
    expect(codeOf(await operator.send('GET', boxAt('admin/hidden')))).toEqual([404, 'not-found']);
    const refused = await operator.send('POST', `${boxesApi}/owners/admin/boxes`, { body: fields('mine') });
    expect(codeOf(refused)).toEqual([403, 'forbidden']);
    const owner = await operator.send('GET', `${boxesApi}/owners/admin`);
    expect(owner.json).toMatchObject({ kind: 'person', boxes: [], may: { publish: false, manage: false } });
  });

  test.each([
    ['name', '../x'],
    ['name', 'a b'],
    ['name', 'x.json'],
    ['name', ''],
    ['short_description', 'x'.repeat(513)],
    ['description', 'x'.repeat(65_537)],
  ])('with a bad %s are refused beside the field', async (field, value) => {
    const answer = await admin.send('POST', `${boxesApi}/owners/admin/boxes`, {
      body: { ...fields('good'), [field]: value },
    });
    expect(answer.json).toMatchObject({ code: 'invalid-request', fields: [{ path: field }] });
  });

  test('are not requested under names that would be other paths', async () => {
    let asked = 0;
    boxes.proxy.onRequest = () => (asked += 1);
    for (const name of ['..', '.', 'a%2fb', 'a%5Cb', 'a%00', '%E2%80%A8']) {
      const answer = await admin.send(
        'GET',
        `${boxesApi}/owners/admin/boxes/${name.replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2e'))}`,
      );
      expect([400, 404]).toContain(answer.status);
    }
    delete boxes.proxy.onRequest;
    expect(asked).toBe(0);
  });
});

test('search filters by words and provider, sorts and pages', async () => {
  for (const [at, name] of ['one', 'two', 'three'].entries()) {
    await create(`search-${name}`);
    const at1 = boxAt(`admin/search-${name}`);
    await admin.send('POST', `${at1}/versions`, { body: { version: '1.0.0', description: '' } });
    const provider = { name: at === 0 ? 'libvirt' : 'virtualbox', url: 'https://images.example/x.box' };
    await admin.send('POST', `${at1}/versions/1.0.0/providers`, {
      body: { ...provider, ...plain, checksum: '', checksum_type: null },
    });
    const version = await admin.send('GET', `${at1}/versions/1.0.0`);
    const released = await admin.send('POST', `${at1}/versions/1.0.0/release`, {
      revision: String(version.json['whole_revision']),
    });
    expect(released.json['status']).toBe('active');
    boxes.server.clock.advance(1000);
  }
  const search = async (query: string) => {
    const { json } = await admin.send('GET', `${boxesApi}/search?${query}`);
    return [(json['boxes'] as { name: string }[]).map(({ name }) => name), json['more']];
  };
  expect(await search('q=search&sort=created&order=asc&limit=2')).toEqual([
    ['search-one', 'search-two'],
    true,
  ]);
  expect(await search('q=search&sort=created&order=asc&limit=2&page=2')).toEqual([['search-three'], false]);
  expect(await search('q=search&sort=created&limit=3')).toEqual([
    ['search-three', 'search-two', 'search-one'],
    false,
  ]);
  expect(await search('q=search&provider=libvirt')).toEqual([['search-one'], false]);
  expect(codeOf(await admin.send('GET', `${boxesApi}/search?limit=101`))).toEqual([400, 'invalid-request']);
  // Says which boxes' providers a long list has only a part of.
  const providers = `${boxAt('admin/search-two')}/versions/1.0.0/providers`;
  const url = `https://images.example/${'x'.repeat(4000)}.box`;
  for (let n = 1; n <= 5; n++)
    await admin.send('POST', providers, {
      body: { ...plain, name: `virtualbox-${n}`, url, checksum: '', checksum_type: null },
    });
  const { json } = await admin.send('GET', `${boxesApi}/search?q=search&sort=created&order=asc&limit=100`);
  type Listed = { readonly current_version: { readonly has_all_providers: boolean } };
  expect((json['boxes'] as Listed[]).map((box) => box.current_version.has_all_providers)).toEqual([
    true,
    false,
    true,
  ]);
});

describe('versions and providers', () => {
  test('change their states only at the revision that the user saw', async () => {
    await create('states');
    const at = boxAt('admin/states');
    for (const version of ['1.0.0-beta', '1.10.0', '1.9.0']) {
      const made = await admin.send('POST', `${at}/versions`, { body: { version, description: 'First' } });
      expect([made.status, made.json['status']]).toEqual([200, 'unreleased']);
    }
    const box = await admin.send('GET', at);
    expect((box.json['versions'] as { version: string }[]).map(({ version }) => version)).toEqual([
      '1.10.0',
      '1.9.0',
      '1.0.0-beta',
    ]);
    const one = `${at}/versions/1.9.0`;
    const version = await admin.send('GET', one);
    const wholeOf = async () => ({ revision: String((await admin.send('GET', one)).json['whole_revision']) });
    const early = await admin.send('POST', `${one}/release`, await wholeOf());
    expect(codeOf(early)).toEqual([400, 'invalid-request']);
    expect(early.json['detail']).toContain('needs a provider');
    const checksum = { checksum: 'A'.repeat(64), checksum_type: 'sha256' };
    const url = 'https://images.example/a.box';
    const provider = await admin.send('POST', `${one}/providers`, {
      body: { name: 'virtualbox', ...plain, url, ...checksum },
    });
    expect(provider.json).toMatchObject({
      url,
      hosted: false,
      available: true,
      checksum: 'a'.repeat(64),
      checksum_type: 'sha256',
    });
    const changed = await admin.send('PATCH', `${one}/providers/virtualbox/unknown`, {
      revision: revisionOf(provider),
      body: { url: '', checksum: '', checksum_type: null },
    });
    expect(changed.json).toMatchObject({
      url: '',
      hosted: true,
      available: false,
      checksum: '',
      checksum_type: null,
    });
    const stale = await admin.send('PATCH', `${one}/providers/virtualbox/unknown`, {
      revision: revisionOf(provider),
      body: { url },
    });
    expect(stale.json['code']).toBe('conflict');
    await admin.send('PATCH', `${one}/providers/virtualbox/unknown`, {
      revision: revisionOf(changed),
      body: { url },
    });
    // Someone changed one of its providers since.
    const unseen = { revision: String(version.json['whole_revision']) };
    expect((await admin.send('POST', `${one}/release`, unseen)).json['code']).toBe('conflict');
    const seen = await wholeOf();
    const released = await admin.send('POST', `${one}/release`, seen);
    expect(released.json['status']).toBe('active');
    const again = await admin.send('POST', `${one}/release`, seen);
    expect(again.json['status']).toBe('active');
    expect((await admin.send('POST', `${one}/release`, await wholeOf())).json['status']).toBe('active');
    const history = await admin.send(
      'GET',
      '/api/environments/test/activity?resource_id=admin/states/1.9.0&action=box-version.release&outcome=succeeded',
    );
    expect(history.json['items']).toMatchObject([
      { paths: ['unchanged=record'] },
      { paths: ['unchanged=record'] },
      { paths: [] },
    ]);
    const found = await admin.send('GET', `${boxesApi}/search?q=states`);
    expect(found.json['boxes']).toMatchObject([
      { current_version: { providers: [{ name: 'virtualbox', available: true }] } },
    ]);
    const revoked = await admin.send('POST', `${one}/revoke`, { revision: revisionOf(released) });
    expect(revoked.json['status']).toBe('revoked');
    const back = await admin.send('POST', `${one}/release`, await wholeOf());
    expect(codeOf(back)).toEqual([400, 'invalid-request']);
    for (const number of ['v1.0', '1.0.0+1', '1_0', '']) {
      const bad = await admin.send('POST', `${at}/versions`, { body: { version: number, description: '' } });
      expect(bad.json).toMatchObject({ fields: [{ path: 'version' }] });
    }
  });
});

/** Creates a box with a provider whose image is still to be uploaded. */
async function createHosted(name: string) {
  await create(name);
  const at = boxAt(`admin/${name}`);
  await admin.send('POST', `${at}/versions`, { body: { version: '1.0.0', description: '' } });
  await admin.send('POST', `${at}/versions/1.0.0/providers`, {
    body: { name: 'libvirt', ...plain, url: '', checksum: '', checksum_type: null },
  });
  return {
    at,
    download: `${at}/versions/1.0.0/providers/libvirt/unknown/download`,
    upload: async (image: Buffer<ArrayBuffer>): Promise<void> => {
      const path = `/api/v1/box/admin/${name}/version/1.0.0/provider/libvirt/upload`;
      const { body } = await boxes.direct.get(path);
      await fetch(String(body['upload_path']), { method: 'PUT', body: image });
    },
  };
}

test('an image is downloaded with a ticket of one session and no token, also in parts', async () => {
  const { at, download, upload } = await createHosted('images');
  expect(codeOf(await admin.send('POST', download))).toEqual([400, 'invalid-request']);
  const image = Buffer.alloc(300_000, 'image');
  await upload(image);
  const ticket = await admin.send('POST', download);
  expect(ticket.json).toMatchObject({ size: 300_000, filename: 'admin-images-1.0.0-libvirt.box' });
  const path = String(ticket.json['path']);
  const fetched = await admin.send('GET', path, { without: ['x-gatehouse'] });
  expect([fetched.status, fetched.headers['content-length'], fetched.headers['content-disposition']]).toEqual(
    [200, '300000', 'attachment; filename="admin-images-1.0.0-libvirt.box"'],
  );
  expect(createHash('sha256').update(fetched.text).digest('hex')).toBe(
    createHash('sha256').update(image).digest('hex'),
  );
  const { json } = await admin.send('GET', `${at}/downloads`);
  expect(json).toEqual({ daily: [{ date: expect.stringMatching(/^2026-/), count: 1 }] });
  const part = await admin.send('GET', path, { headers: { range: 'bytes=5-9' } });
  expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'image', 'bytes 5-9/300000']);
  const other = await boxes.signedIn();
  expect(codeOf(await other.send('GET', path))).toEqual([404, 'not-found']);
  expect(codeOf(await admin.send('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } }))).toEqual([
    403,
    'origin-refused',
  ]);
  boxes.server.clock.advance(10 * 60_000);
  expect(codeOf(await admin.send('GET', path))).toEqual([404, 'not-found']);
});

test('a download is cut off once its session is ended', async () => {
  const { download, upload } = await createHosted('cut');
  await upload(Buffer.alloc(10_000_000));
  const page = await boxes.signedIn();
  const ticket = await page.send('POST', download);
  // The image would take a minute.
  boxes.proxy.fault = { kind: 'drip', everyMs: 5, bytes: 1_000 };
  boxes.proxy.drop();
  const answer = await fetch(new URL(String(ticket.json['path']), boxes.console.origin), {
    headers: { cookie: page.cookie ?? '', 'sec-fetch-site': 'same-origin' },
  });
  boxes.proxy.fault = { kind: 'none' };
  const received = answer.arrayBuffer();
  await page.send('DELETE', '/api/session');
  expect(answer.status).toBe(200);
  await expect(received).rejects.toThrow();
});

test('a download that its client leaves is not logged as a failure', async () => {
  const { download, upload } = await createHosted('left');
  await upload(Buffer.alloc(10));
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const other = await boxes.another({ log: createLog({ service: 'console', level: 'debug', destination }) });
  const page = other.browser();
  await signInAs(page, 'admin', testPassword, 'boxes');
  const ticket = await page.send('POST', download);
  boxes.proxy.fault = { kind: 'silence' };
  boxes.proxy.drop();
  const leaving = new AbortController();
  const before = boxes.proxy.accepted;
  const left = fetch(new URL(String(ticket.json['path']), other.origin), {
    headers: { cookie: page.cookie ?? '', 'sec-fetch-site': 'same-origin' },
    signal: leaving.signal,
  });
  await expect.poll(() => boxes.proxy.accepted).toBeGreaterThan(before);
  leaving.abort();
  await expect(left).rejects.toThrow();
  boxes.proxy.fault = { kind: 'none' };
  await expect.poll(() => lines.filter((line) => line.includes(`${downloadsPath}/:ticket`))).not.toEqual([]);
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  await other.close();
});

test("tokens are created, checked and deleted, except the console's own", async () => {
  const tokens = `${boxesApi}/tokens`;
  const wrong = await admin.send('POST', tokens, { body: { password: 'wrong', description: 'CI' } });
  expect(codeOf(wrong)).toEqual([401, 'sign-in-failed']);
  boxes.server.clock.advance(60_000);
  const made = await admin.send('POST', tokens, { body: { password: testPassword, description: 'CI' } });
  const token = String(made.json['token']);
  expect((await boxes.server.with(token).get('/api/v1/authenticate')).status).toBe(200);
  const valid = await admin.send('POST', `${tokens}/validate`, { body: { token } });
  expect(valid.json).toEqual({ valid: true, username: 'admin', own: false });
  const listed = (await admin.send('GET', tokens)).json['tokens'] as Record<string, unknown>[];
  const own = listed.find((one) => one['own'] === true);
  expect(listed.find((one) => one['description'] === 'CI')).toBeDefined();
  const refused = await admin.send('POST', `${tokens}/delete`, { body: { token_hash: own?.['token_hash'] } });
  expect(codeOf(refused)).toEqual([400, 'invalid-request']);
  expect((await admin.send('POST', `${tokens}/delete`, { body: { token } })).json).toEqual({ deleted: true });
  expect((await admin.send('POST', `${tokens}/delete`, { body: { token } })).json).toEqual({
    deleted: false,
  });
  const gone = await admin.send('POST', `${tokens}/validate`, { body: { token } });
  expect(gone.json).toEqual({ valid: false, username: null, own: false });
});

test('organizations have members with roles, and their own boxes', async () => {
  const base = `${boxesApi}/organizations`;
  const confirm = () => confirmAs(admin, testPassword);
  const made = await admin.send('POST', base, { body: { username: 'acme', profile: '# Acme' } });
  expect(made.json).toMatchObject({
    username: 'acme',
    profile: '# Acme',
    members: [{ username: 'admin', role: 'owner' }],
    may: { publish: true, manage: true },
  });
  const twice = await admin.send('POST', base, { body: { username: 'acme', profile: '' } });
  expect(twice.json).toMatchObject({ code: 'conflict', conflict: { reason: 'created' } });
  const member = { username: 'operator', role: 'reader' };
  expect(codeOf(await admin.send('POST', `${base}/acme/members`, { body: member }))).toEqual([
    403,
    'confirmation-required',
  ]);
  await confirm();
  const added = await admin.send('POST', `${base}/acme/members`, { body: member });
  expect(added.json).toMatchObject(member);
  const raised = await admin.send('PATCH', `${base}/acme/members/operator`, {
    revision: revisionOf(added),
    body: { role: 'publisher' },
  });
  expect(raised.json['role']).toBe('publisher');
  const stale = await admin.send('DELETE', `${base}/acme/members/operator`, { revision: revisionOf(added) });
  expect(stale.json['code']).toBe('conflict');
  const operator = await boxes.signedIn('operator');
  const account = await operator.send('GET', `${boxesApi}/account`);
  expect(account.json).toMatchObject({
    username: 'operator',
    namespaces: [
      { username: 'operator', kind: 'person' },
      { username: 'acme', kind: 'organization' },
    ],
    namespaces_complete: true,
    organizations: { may_create: false },
    two_factor: { enabled: false },
  });
  const last = await admin.send('GET', `${base}/acme`);
  // Members added in the same millisecond have no order.
  const own = (last.json['members'] as { username: string; revision: string }[]).find(
    ({ username }) => username === 'admin',
  );
  const leaving = await admin.send('DELETE', `${base}/acme/members/admin`, { revision: own?.revision ?? '' });
  expect(leaving.status).toBe(400);
  const settings = await admin.send('GET', `${boxesApi}/settings`);
  const opened = await admin.send('PUT', `${boxesApi}/settings`, {
    revision: revisionOf(settings),
    body: { organization_creators: 'operators' },
  });
  expect(opened.json['organization_creators']).toBe('operators');
  const removed = await admin.send('DELETE', `${base}/acme/members/operator`, {
    revision: revisionOf(raised),
  });
  expect(removed.status).toBe(204);
  expect((await admin.send('DELETE', `${base}/acme`, { revision: revisionOf(made) })).status).toBe(204);
});
