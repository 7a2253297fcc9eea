import { createHash, randomBytes } from 'node:crypto';
import { archive, smallModule, tar } from '@gatehouse/module-archive/testing/archives';
import { testPassword } from '@gatehouse/module-registry/testing/server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import {
  codeOf,
  moduleAt,
  modulesApi,
  publishing,
  startModules,
  type ModulesConsole,
} from '#test/modules.ts';

let modules: ModulesConsole;
let admin: Browser;

beforeAll(async () => {
  modules = await startModules();
  admin = await modules.signedIn();
});
afterEach(() => {
  modules.proxy.fault = { kind: 'none' };
  delete modules.proxy.onRequest;
});
afterAll(() => modules[Symbol.asyncDispose]());

const net = archive({
  'main.tf': 'variable "size" {\n  type = list(string)\n}\n\noutput "id" {\n  value = 1\n}\n',
  'modules/peer/main.tf': 'variable "name" {}\n',
  'README.md': '# Net\n\nA network of its own.\n',
});
/** Larger than one packet, so that an archive cut off at its first packet doesn't arrive. */
const large = archive({ 'main.tf': '', noise: randomBytes(500_000).toString('base64') });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const revisionOf = ({ json }: BrowserAnswer): string => String(json['revision']);

async function publish(
  path: string,
  bytes: Uint8Array = smallModule(),
  page = admin,
): Promise<BrowserAnswer> {
  const cut = path.lastIndexOf('/');
  const at = moduleAt(path.slice(0, cut), `/versions/${path.slice(cut + 1)}`);
  const answer = await page.send('POST', `${at}/publish`, publishing(bytes));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
}

const readArchive = (page: Browser, bytes: Uint8Array = net): Promise<BrowserAnswer> =>
  page.send('POST', `${modulesApi}/archive`, { body: { archive: Buffer.from(bytes).toString('base64') } });

/** Records the requests that reach the registry from now on, as `GET /v1/…`. */
function asked(): string[] {
  const lines: string[] = [];
  modules.proxy.onRequest = (bytes) => {
    const line = /^((?:GET|POST|PUT|DELETE) \S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
    if (line !== undefined) lines.push(line);
  };
  return lines;
}

describe('publishing', () => {
  test('sends the archive, and returns what the registry read from it', async () => {
    const made = await admin.send(
      'POST',
      moduleAt('acme/net/aws', '/versions/1.0.0/publish'),
      publishing(net, { source: 'https://git.example/net' }),
    );
    expect(made.json).toMatchObject({
      version: '1.0.0',
      owner: 'admin',
      description: 'A network of its own.',
      source: 'https://git.example/net',
      deprecation: null,
      archive: { size: net.length, sha256: sha256(net) },
      content: {
        from: 'registry',
        reason: '',
        root: { inputs: [{ name: 'size', type: 'list(string)', required: true }], outputs: [{ name: 'id' }] },
        submodules: [{ path: 'modules/peer', inputs: [{ name: 'name' }] }],
        problems: [],
      },
    });
    const read = await admin.send('GET', moduleAt('acme/net/aws', '/versions/1.0.0'));
    expect(read.json).toEqual(made.json);
    expect((await admin.send('GET', moduleAt('acme/net/aws'))).json).toMatchObject({
      namespace: 'acme',
      name: 'net',
      provider: 'aws',
      verified: false,
      owner: 'admin',
      description: 'A network of its own.',
      downloads: 0,
      latest: '1.0.0',
      versions: [{ version: '1.0.0', published_time: read.json['published_time'], deprecation: null }],
      providers: ['aws'],
      address: 'modules.example/acme/net/aws',
      host: 'modules.example',
      services_url: '',
      may: { publish: true, manage: true },
    });
  });

  test("accepts an archive with unreadable configuration, and shows the parser's message", async () => {
    const made = await publish('acme/broken/aws/1.0.0', archive({ 'main.tf': 'variable "x" {' }));
    expect(made.json['content']).toMatchObject({
      from: 'registry',
      problems: [{ path: 'main.tf', message: expect.stringContaining('main.tf') }],
    });
  });

  test.each([
    ['nothing', Buffer.from('nothing at all'), 'not gzip'],
    ['no module at its root', archive({ 'net/main.tf': '' }), 'in the folder net'],
    ['a path that leaves it', archive({ '../main.tf': '' }), '..'],
    ['no compression', tar([{ name: 'main.tf' }]), 'not gzip'],
  ])('refuses an archive of %s before anything is sent', async (_what, bytes, words) => {
    const lines = asked();
    const refused = await admin.send(
      'POST',
      moduleAt('acme/bad/aws', '/versions/1.0.0/publish'),
      publishing(bytes),
    );
    expect(refused.json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining(words),
      fields: [{ path: 'archive', message: expect.stringContaining(words) }],
    });
    expect(lines.filter((line) => line.startsWith('PUT'))).toEqual([]);
  });

  test.each([
    ['search/net/aws/versions/1.0.0', 'namespace'],
    ['-acme/net/aws/versions/1.0.0', 'namespace'],
    ['acme/n.t/aws/versions/1.0.0', 'name'],
    ['acme/net/AWS/versions/1.0.0', 'provider'],
    ['acme/net/aws/versions/v1.0.0', 'version'],
    ['acme/net/aws/versions/1.0', 'version'],
    ['acme/net/aws/versions/1.0.0+', 'version'],
  ])('to %s is refused beside the field', async (path, field) => {
    const refused = await admin.send('POST', `${modulesApi}/${path}/publish`, publishing(net));
    expect(refused.json).toMatchObject({ code: 'invalid-request', fields: [{ path: field }] });
  });

  test.each([
    [{ archive: '' }, 'archive'],
    [{ archive: '%' }, 'archive'],
    [{ source: 'javascript:alert(1)' }, 'source'],
    [{ source: 'https://me:secret@git.example' }, 'source'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ])('with %j is refused beside the field', async (fields, field) => {
    const { body } = publishing(net);
    const refused = await admin.send('POST', moduleAt('acme/net/aws', '/versions/9.0.0/publish'), {
      body: { ...body, ...fields },
    });
    expect(refused.json).toMatchObject({ code: 'invalid-request', fields: [{ path: field }] });
  });

  test('under a used number is a conflict with the version that has it, or had it', async () => {
    const first = await publish('acme/taken/aws/1.0.0');
    const again = await admin.send(
      'POST',
      moduleAt('acme/taken/aws', '/versions/1.0.0/publish'),
      publishing(smallModule('other')),
    );
    expect(again.json).toMatchObject({
      code: 'conflict',
      conflict: {
        reason: 'created',
        resource: { kind: 'module-version', id: 'acme/taken/aws/1.0.0' },
        current: { version: '1.0.0', archive: first.json['archive'] },
      },
    });
    await publish('acme/taken/aws/1.1.0');
    await modules.direct.delete('/v1/modules/acme/taken/aws/1.0.0');
    const gone = await admin.send(
      'POST',
      moduleAt('acme/taken/aws', '/versions/1.0.0/publish'),
      publishing(smallModule()),
    );
    expect(gone.json).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining("can't be reused"),
      conflict: { reason: 'created', current: null },
    });
  });

  test('with a lost answer succeeds if the stored version is the sent one', async () => {
    let writes = 0;
    modules.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return;
      writes += 1;
      modules.proxy.cutNext = 0;
    };
    const made = await publish('acme/lost/aws/1.0.0', net);
    expect([made.json['archive'], writes]).toEqual([{ size: net.length, sha256: sha256(net) }, 1]);
  });

  test.each([
    ['and nobody can be asked', true],
    ['and it is not there', false],
  ])('has an unknown outcome when cut off, %s', async (_how, isDown) => {
    modules.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return;
      if (isDown) modules.proxy.fault = { kind: 'hang up' };
      modules.proxy.drop();
    };
    const at = moduleAt('acme/unknown/aws', '/versions/1.0.0');
    expect(codeOf(await admin.send('POST', `${at}/publish`, publishing(large)))).toEqual([
      502,
      'outcome-unknown',
    ]);
    modules.proxy.fault = { kind: 'none' };
    expect(codeOf(await admin.send('GET', at))).toEqual([404, 'not-found']);
  });
});

test('an archive can be read without publishing it', async () => {
  const lines = asked();
  expect((await readArchive(admin)).json).toMatchObject({
    size: net.length,
    sha256: sha256(net),
    content: {
      from: 'archive',
      reason: '',
      root: { readme: expect.stringContaining('# Net'), inputs: [{ name: 'size' }] },
      submodules: [{ path: 'modules/peer' }],
    },
  });
  expect((await readArchive(admin, Buffer.from('x'))).json).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'archive' }],
  });
  const large = await admin.send('POST', `${modulesApi}/archive`, {
    body: { archive: 'x'.repeat(14_000_000) },
  });
  expect(large.json).toMatchObject({
    fields: [{ path: 'archive', message: 'The archive is larger than 10 MiB.' }],
  });
  const elsewhere = '/api/environments/none/modules/archive';
  expect(codeOf(await admin.send('POST', elsewhere, { body: { archive: 'eA==' } }))).toEqual([
    404,
    'not-found',
  ]);
  expect(codeOf(await modules.console.browser().send('POST', `${modulesApi}/archive`, { body: {} }))).toEqual(
    [401, 'unauthenticated'],
  );
  expect(new Set(lines)).toEqual(new Set(['GET /v1/tokens/self']));
});

test('limits how many archives of a user wait to be read, and says when to retry the next one', async () => {
  // The parser takes quadratic time for this archive.
  const slow = archive({ 'main.tf': `a = <<-EOT\n${'  ${a}\n'.repeat(6_000)}EOT\n` });
  // One browser has only a few connections.
  const pages = [admin, ...(await Promise.all(Array.from({ length: 4 }, () => modules.signedIn())))];
  const asked = [slow, ...Array<Buffer>(39).fill(net)].map((bytes, at) =>
    readArchive(pages[at % 5] ?? admin, bytes),
  );
  // On a busy machine the slow one may time out.
  const [, ...answers] = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { json } of refused)
    expect(json).toMatchObject({
      code: 'rate-limited',
      detail: '24 of your archives are waiting to be read. Send this one when they are done.',
      retryAfterSeconds: 30,
    });
});

test("holds two large bodies of a user at once, whatever their role, and delays only that user's others", async () => {
  const reader = await modules.signedIn('read-only');
  const operator = await modules.signedIn('operator');
  // From now on, everyone whose body is read waits for the registry.
  modules.proxy.fault = { kind: 'silence' };
  modules.proxy.drop();
  // One browser has only a few connections.
  const pages = Array.from({ length: 4 }, () =>
    Object.assign(modules.console.browser(), { cookie: reader.cookie }),
  );
  const refused = Promise.withResolvers<BrowserAnswer>();
  const sent = Array.from({ length: 30 }, async (_, at) => {
    const answer = await readArchive(pages[at % 4] ?? reader, Buffer.alloc(2 ** 20));
    if (answer.status === 429) refused.resolve(answer);
    return answer.status;
  });
  expect((await refused.promise).json).toMatchObject({
    code: 'rate-limited',
    detail: '24 of your large requests are already waiting. Send this one when they are done.',
    retryAfterSeconds: 30,
  });
  // It isn't JSON, which shows only when it is read.
  const noJson = { body: Buffer.alloc(2 ** 20 + 1) };
  expect(codeOf(await operator.send('POST', `${modulesApi}/archive`, noJson))).toEqual([
    400,
    'invalid-request',
  ]);
  modules.proxy.fault = { kind: 'none' };
  modules.proxy.drop();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
});

describe('lists', () => {
  beforeAll(async () => {
    for (const name of ['one', 'two', 'three']) await publish(`listed/${name}/google/1.0.0`);
    await publish('listed/one/azurerm/1.0.0');
  });
  const list = async (query: string) => {
    const { json } = await admin.send('GET', `${modulesApi}/search?${query}`);
    const found = json['modules'] as { name: string; provider: string }[];
    return [found.map(({ name, provider }) => `${name} ${provider}`), json['next_offset']];
  };

  test('say what the caller may do', async () => {
    const reader = await modules.signedIn('read-only');
    const seen = await reader.send('GET', `${modulesApi}/search?limit=1&namespace=listed`);
    expect(seen.json['may']).toEqual({ publish: false, manage: false });
    const { json } = await admin.send('GET', `${modulesApi}/search?limit=1`);
    expect(json['may']).toEqual({ publish: true, manage: true });
  });

  test('are filtered, and continue after the last page', async () => {
    expect(await list('namespace=listed&limit=3')).toEqual([['one google', 'two google', 'three google'], 3]);
    expect(await list('namespace=listed&limit=3&offset=3')).toEqual([['one azurerm'], null]);
    expect(await list('namespace=listed&provider=azurerm')).toEqual([['one azurerm'], null]);
    expect(await list('q=listed+two')).toEqual([['two google'], null]);
    expect(await list('q=one&namespace=listed&provider=google')).toEqual([['one google'], null]);
    expect(await list('namespace=nobody')).toEqual([[], null]);
    const module = await admin.send('GET', moduleAt('listed/two/google'));
    await admin.send('PUT', moduleAt('listed/two/google', '/verified'), {
      body: { verified: true },
      revision: revisionOf(module),
    });
    expect(await list('namespace=listed&verified=true')).toEqual([['two google'], null]);
    const [first] = (await admin.send('GET', `${modulesApi}/search?q=listed+two`)).json[
      'modules'
    ] as object[];
    expect(first).toEqual({
      namespace: 'listed',
      name: 'two',
      provider: 'google',
      version: '1.0.0',
      owner: 'admin',
      description: '',
      source: '',
      published_time: expect.stringMatching(/^2026-/),
      downloads: 0,
      verified: true,
      deprecation: null,
    });
  });

  test('report invalid parameters', async () => {
    for (const query of [
      'limit=101',
      'limit=0',
      'offset=-1',
      'verified=yes',
      `q=${'x'.repeat(201)}`,
      'page=1',
    ])
      expect(codeOf(await admin.send('GET', `${modulesApi}/search?${query}`))).toEqual([
        400,
        'invalid-request',
      ]);
  });

  test('can be filtered by whether the latest version is deprecated', async () => {
    await modules.direct.put('/v1/modules/listed/three/google/1.0.0/deprecation', {
      state: 'deprecated',
      message: 'Slow.',
    });
    expect(await list('namespace=listed&deprecated=true')).toEqual([['three google'], null]);
    expect(await list('q=listed+google&deprecated=false')).toEqual([['one google', 'two google'], null]);
  });

  test('of a namespace that would be another path are empty, without a request', async () => {
    const lines = asked();
    for (const namespace of ['..', 'a%2Fb', '%00', 'search'])
      expect(await list(`namespace=${namespace}`)).toEqual([[], null]);
    expect(lines).toEqual([]);
  });
});

test('versions have their own order, and the latest is the one that clients use', async () => {
  for (const version of ['1.9.0', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.11', '0.1.0'])
    await publish(`acme/order/aws/${version}`);
  const read = async () => {
    const { json } = await admin.send('GET', moduleAt('acme/order/aws'));
    return [(json['versions'] as { version: string }[]).map(({ version }) => version), json['latest']];
  };
  const order = ['2.0.0-beta.11', '2.0.0-beta.2', '1.10.0', '1.9.0', '0.1.0'];
  expect(await read()).toEqual([order, '1.10.0']);
  const revoke = async (version: string) =>
    modules.direct.put(`/v1/modules/acme/order/aws/${version}/deprecation`, {
      state: 'revoked',
      message: 'x',
    });
  await revoke('1.10.0');
  expect(await read()).toEqual([order, '1.9.0']);
  for (const version of order) await revoke(version);
  expect(await read()).toEqual([order, null]);
  const module = await admin.send('GET', moduleAt('acme/order/aws'));
  expect(module.json).toMatchObject({ owner: 'admin', downloads: 0 });
});

describe('the deprecation of a version', () => {
  const at = moduleAt('acme/said/aws', '/versions/1.0.0');
  const fields = { state: 'deprecated', message: 'Slow.', replacement: '1.1.0' };
  beforeAll(() => publish('acme/said/aws/1.0.0'));

  test('is set, changed and removed only at the revision that the user saw', async () => {
    const before = await admin.send('GET', at);
    const said = await admin.send('PUT', `${at}/deprecation`, { body: fields, revision: revisionOf(before) });
    expect(said.json['deprecation']).toEqual({ ...fields, link: '', time: expect.stringMatching(/^2026/) });
    expect(revisionOf(said)).not.toBe(revisionOf(before));
    expect((await admin.send('GET', moduleAt('acme/said/aws'))).json['versions']).toMatchObject([
      { deprecation: fields },
    ]);
    const body = { ...fields, state: 'revoked', message: 'Leaks.' };
    const stale = await admin.send('PUT', `${at}/deprecation`, { body, revision: revisionOf(before) });
    expect(stale.json).toMatchObject({
      code: 'conflict',
      conflict: {
        reason: 'modified',
        resource: { service: 'modules', kind: 'module-version', id: 'acme/said/aws/1.0.0' },
        expectedRevision: revisionOf(before),
        currentRevision: revisionOf(said),
        current: { deprecation: fields },
        changedBy: 'admin',
      },
    });
    // The deprecation is already as requested, so this is no conflict.
    const same = await admin.send('PUT', `${at}/deprecation`, { body: fields, revision: revisionOf(before) });
    expect([same.status, revisionOf(same)]).toEqual([200, revisionOf(said)]);
    const revoked = await admin.send('PUT', `${at}/deprecation`, { body, revision: revisionOf(said) });
    expect(revoked.json['deprecation']).toMatchObject(body);
    expect(codeOf(await admin.send('POST', `${at}/restore`, { revision: revisionOf(said) }))).toEqual([
      409,
      'conflict',
    ]);
    const restored = await admin.send('POST', `${at}/restore`, { revision: revisionOf(revoked) });
    expect([restored.json['deprecation'], revisionOf(restored)]).toEqual([null, revisionOf(before)]);
  });

  test('needs a revision and a message', async () => {
    expect(codeOf(await admin.send('PUT', `${at}/deprecation`, { body: fields }))).toEqual([
      428,
      'revision-required',
    ]);
    for (const [bad, path] of [
      [{ message: ' ' }, 'message'],
      [{ message: 'x'.repeat(1001) }, 'message'],
      [{ state: 'gone' }, 'state'],
      [{ replacement: 'x'.repeat(501) }, 'replacement'],
    ] as const) {
      const body = { ...fields, ...bad };
      const answer = await admin.send('PUT', `${at}/deprecation`, { body, revision: 'x' });
      expect(answer.json).toMatchObject({ code: 'invalid-request', fields: [{ path }] });
    }
    const nowhere = moduleAt('acme/said/aws', '/versions/7.0.0');
    const none = await admin.send('PUT', `${nowhere}/deprecation`, { body: fields, revision: 'x' });
    expect(none.json).toMatchObject({ code: 'conflict', conflict: { reason: 'deleted', current: null } });
  });

  test('with a lost answer succeeds', async () => {
    const before = await admin.send('GET', at);
    modules.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').startsWith('PUT ')) modules.proxy.cutNext = 0;
    };
    const said = await admin.send('PUT', `${at}/deprecation`, { body: fields, revision: revisionOf(before) });
    expect([said.status, said.json['deprecation']]).toMatchObject([200, fields]);
  });
});

describe('deleting', () => {
  test('deletes only the version that the user saw', async () => {
    await publish('acme/gone/aws/1.0.0');
    await publish('acme/gone/aws/1.1.0');
    const at = moduleAt('acme/gone/aws', '/versions/1.0.0');
    const seen = await admin.send('GET', at);
    await modules.direct.put('/v1/modules/acme/gone/aws/1.0.0/deprecation', {
      state: 'revoked',
      message: 'Keep it.',
    });
    const stale = await admin.send('DELETE', at, { revision: revisionOf(seen) });
    expect(stale.json).toMatchObject({ code: 'conflict', conflict: { reason: 'modified' } });
    const now = await admin.send('GET', at);
    expect((await admin.send('DELETE', at, { revision: revisionOf(now) })).status).toBe(204);
    expect(codeOf(await admin.send('GET', at))).toEqual([404, 'not-found']);
    expect(codeOf(await admin.send('DELETE', at, { revision: revisionOf(now) }))).toEqual([404, 'not-found']);
    expect((await admin.send('GET', moduleAt('acme/gone/aws'))).json['versions']).toHaveLength(1);
    expect(codeOf(await admin.send('DELETE', at))).toEqual([428, 'revision-required']);
  });
});

test("changes are also guarded by the registry's own ETags", async () => {
  await publish('acme/guarded/aws/1.0.0');
  const at = moduleAt('acme/guarded/aws');
  const one = `${at}/versions/1.0.0`;
  const guarded: string[] = [];
  modules.proxy.onRequest = (bytes) => {
    const found = /^((?:PUT|DELETE) \S+) HTTP[^]*?\r\nif-match: "[0-9a-f.]+"\r\n/i.exec(
      bytes.toString('latin1'),
    );
    if (found?.[1] !== undefined) guarded.push(found[1]);
  };
  const body = { state: 'deprecated', message: 'x', replacement: '' };
  const revision = async (path: string) => revisionOf(await admin.send('GET', path));
  await admin.send('PUT', `${one}/deprecation`, { body, revision: await revision(one) });
  await admin.send('POST', `${one}/restore`, { revision: await revision(one) });
  await admin.send('PUT', `${at}/verified`, { body: { verified: true }, revision: await revision(at) });
  expect((await admin.send('DELETE', one, { revision: await revision(one) })).status).toBe(204);
  const path = '/v1/modules/acme/guarded/aws';
  expect(guarded).toEqual([
    `PUT ${path}/1.0.0/deprecation`,
    `DELETE ${path}/1.0.0/deprecation`,
    `PUT ${path}/verified`,
    `DELETE ${path}/1.0.0`,
  ]);
});

test('administrators can mark a module as verified', async () => {
  await publish('acme/vouched/aws/1.0.0');
  const at = moduleAt('acme/vouched/aws');
  const before = await admin.send('GET', at);
  const body = { verified: true };
  const verified = await admin.send('PUT', `${at}/verified`, { body, revision: revisionOf(before) });
  expect(verified.json).toMatchObject({ verified: true, may: { manage: true } });
  const stale = await admin.send('PUT', `${at}/verified`, {
    body: { verified: false },
    revision: revisionOf(before),
  });
  expect(stale.json).toMatchObject({
    code: 'conflict',
    conflict: { resource: { kind: 'module', id: 'acme/vouched/aws' }, current: { verified: true } },
  });
  const again = await admin.send('PUT', `${at}/verified`, { body, revision: revisionOf(before) });
  expect(again.status).toBe(200);
  expect(codeOf(await admin.send('PUT', `${at}/verified`, { body }))).toEqual([428, 'revision-required']);
});

test('forbidden actions are not offered, and refused', async () => {
  await publish('acme/roles/aws/1.0.0');
  const at = moduleAt('acme/roles/aws');
  const one = `${at}/versions/1.0.0`;
  const { revision } = (await admin.send('GET', one)).json;
  const module = await admin.send('GET', at);
  const tried = async (page: Browser) => [
    (await page.send('GET', at)).json['may'],
    codeOf(await readArchive(page))[1],
    codeOf(await page.send('POST', `${at}/versions/1.1.0/publish`, publishing(net)))[1],
    codeOf(
      await page.send('PUT', `${one}/deprecation`, {
        body: { state: 'deprecated', message: 'x', replacement: '' },
        revision: String(revision),
      }),
    )[1],
    codeOf(
      await page.send('PUT', `${at}/verified`, { body: { verified: true }, revision: revisionOf(module) }),
    )[1],
    codeOf(await page.send('DELETE', one, { revision: revisionOf(await page.send('GET', one)) }))[1],
  ];
  const reader = await modules.signedIn('read-only');
  expect(await tried(reader)).toEqual([
    { publish: false, manage: false },
    ...Array<string>(5).fill('forbidden'),
  ]);
  const operator = await modules.signedIn('operator');
  expect(await tried(operator)).toEqual([
    { publish: true, manage: false },
    undefined,
    undefined,
    undefined,
    'forbidden',
    'forbidden',
  ]);
  await expect(modules.signedIn('nobody')).rejects.toThrow('no role');
});

test("downloads and consumers count clients' downloads", async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await publish(`acme/used/aws/${version}`);
  const ci = await modules.server.as('operator', 'CI of billing');
  const at = '/v1/modules/acme/used/aws/1.0.0/download';
  const { headers } = await ci.get(at);
  await (await fetch(new URL(headers.get('x-terraform-get') ?? '', modules.server.url + at))).arrayBuffer();
  const read = async () => (await admin.send('GET', moduleAt('acme/used/aws', '/downloads'))).json;
  // A download counts once its last byte was sent.
  await expect.poll(async () => (await read())['total']).toBe(1);
  expect(await read()).toEqual({
    week: 1,
    month: 1,
    year: 1,
    total: 1,
    daily: [{ date: expect.stringMatching(/^2026-/), version: '1.0.0', count: 1 }],
  });
  const consumers = await admin.send('GET', moduleAt('acme/used/aws', '/consumers'));
  expect(consumers.json).toEqual({
    consumers: [
      {
        token_id: expect.any(String),
        token: 'CI of billing',
        owner: 'operator',
        version: '1.0.0',
        downloads: 1,
        last_fetched_time: expect.stringMatching(/^2026-/),
        behind: 2,
      },
    ],
  });
  for (const more of ['', '/downloads', '/consumers', '/versions/1.0.0', '/versions/1.0.0/location'])
    expect(codeOf(await admin.send('GET', moduleAt('acme/none/aws', more)))).toEqual([404, 'not-found']);
});

test("shows an archive's location as the registry's clients see it, without counting a download", async () => {
  await publish('acme/where/aws/1.0.0');
  const { json } = await admin.send('GET', moduleAt('acme/where/aws', '/versions/1.0.0/location'));
  expect(json).toEqual({
    location: expect.stringMatching(/^\/v1\/archives\/\d+\/where-aws-1\.0\.0\.tar\.gz\?/),
    url: `https://modules.example${String(json['location'])}`,
    readable: true,
    reason: '',
  });
  const downloads = await admin.send('GET', moduleAt('acme/where/aws', '/downloads'));
  expect(downloads.json['total']).toBe(0);
});

describe('tokens', () => {
  const tokens = `${modulesApi}/tokens`;

  test("are created, listed and revoked, except the console's own", async () => {
    const wrong = { password: 'wrong', description: 'CI' };
    expect(codeOf(await admin.send('POST', tokens, { body: wrong }))).toEqual([401, 'sign-in-failed']);
    modules.server.clock.advance(60_000);
    const made = await admin.send('POST', tokens, { body: { password: testPassword, description: ' CI ' } });
    expect(made.json).toEqual({
      id: expect.any(String),
      description: 'CI',
      created_time: expect.stringMatching(/^2026-/),
      last_used_time: '',
      token: expect.any(String),
    });
    const client = modules.server.with(String(made.json['token']));
    modules.server.clock.advance(600_000);
    expect((await client.get('/v1/tokens/self')).status).toBe(200);
    const list = async () =>
      (await admin.send('GET', tokens)).json['tokens'] as Record<'id' | 'last_used_time', string>[];
    const one = (await list()).find(({ id }) => id === made.json['id']);
    expect(one).toMatchObject({ description: 'CI', current: false });
    expect(one?.last_used_time).not.toBe('');
    expect(JSON.stringify(await list())).not.toContain(String(made.json['token']));
    expect((await admin.send('DELETE', `${tokens}/${String(one?.id)}`)).status).toBe(204);
    expect((await client.get('/v1/tokens/self')).status).toBe(401);
    expect(codeOf(await admin.send('DELETE', `${tokens}/${String(one?.id)}`))).toEqual([404, 'not-found']);
    const own = (await list()).find((token) => 'current' in token && token.current === true);
    expect(own?.last_used_time).not.toBe('');
    for (const id of [String(own?.id), 'self'])
      expect(codeOf(await admin.send('DELETE', `${tokens}/${id}`))).toEqual([400, 'invalid-request']);
    expect((await admin.send('GET', tokens)).status).toBe(200);
  });

  test('require a description', async () => {
    const body = { password: testPassword, description: ' ' };
    expect((await admin.send('POST', tokens, { body })).json).toMatchObject({
      fields: [{ path: 'description' }],
    });
  });
});

describe('connections', () => {
  const signIn = (page: Browser, credentials: object) =>
    page.send('POST', '/api/session', { body: { environment: 'test', service: 'modules', credentials } });

  test("are created with a password, whose token is revoked at the end, or with a user's token, which isn't", async () => {
    const page = modules.console.browser();
    const wrong = await signIn(page, { method: 'password', login_name: 'admin', password: 'wrong' });
    expect(codeOf(wrong)).toEqual([401, 'sign-in-failed']);
    const client = await modules.server.as('operator');
    const token = client.token ?? '';
    expect((await signIn(page, { method: 'token', token })).json).toMatchObject({
      person: { login_name: 'operator' },
    });
    expect((await page.send('GET', `${modulesApi}/search`)).status).toBe(200);
    await page.send('DELETE', '/api/session');
    await modules.console.bff.upkeep();
    expect((await client.get('/v1/tokens/self')).status).toBe(200);
    for (const bad of ['made up', 'made-up'])
      expect((await signIn(page, { method: 'token', token: bad })).json['code']).toBe('sign-in-failed');
    modules.server.clock.advance(60_000);
    const other = await modules.signedIn('operator');
    const before = (await client.get('/v1/tokens')).body['tokens'] as object[];
    await other.send('DELETE', '/api/session');
    await modules.console.bff.upkeep();
    const after = (await client.get('/v1/tokens')).body['tokens'] as object[];
    expect(after).toHaveLength(before.length - 1);
  });

  test('report an invalid token once', async () => {
    const page = await modules.signedIn('read-only');
    const client = await modules.server.as('read-only');
    const tokens = (await client.get('/v1/tokens')).body['tokens'] as { id: string; current: boolean }[];
    for (const { id, current } of tokens) if (!current) await client.delete(`/v1/tokens/${id}`);
    expect(codeOf(await page.send('GET', `${modulesApi}/search`))).toEqual([424, 'not-connected']);
    const lines = asked();
    expect(codeOf(await page.send('GET', `${modulesApi}/search`))).toEqual([424, 'not-connected']);
    expect(codeOf(await readArchive(page))).toEqual([424, 'not-connected']);
    // It isn't JSON: only connected users have their large bodies read.
    const send = (path: string, size: number) => page.send('POST', path, { body: Buffer.alloc(size) });
    for (const path of [`${modulesApi}/archive`, `${moduleAt('acme/net/aws')}/versions/9.0.0/publish`]) {
      expect(codeOf(await send(path, 2 ** 20 + 1))).toEqual([424, 'not-connected']);
      expect(codeOf(await send(path, 2 ** 20))).toEqual([400, 'invalid-request']);
    }
    expect(codeOf(await send('/api/environments/test/moves', 2 ** 20 + 1))).toEqual([424, 'not-connected']);
    expect(lines).toEqual([]);
    const { connections } = (await page.send('GET', '/api/connections')).json as {
      readonly connections?: readonly object[];
    };
    expect(connections).toMatchObject([{ service: 'modules', state: 'expired' }]);
  });

  test("show everyone's activity only to its administrators, if it is the only service", async () => {
    const reader = await modules.signedIn('read-only');
    const sees = async (page: Browser) =>
      (await page.send('GET', '/api/environments/test/activity')).json['sees'];
    expect(await sees(reader)).toBe('own');
    expect(await sees(admin)).toBe('all');
  });
});

test.each([
  [{ kind: 'hang up' }, 503, 'service-unavailable'],
  [
    { kind: 'answer', text: 'HTTP/1.1 429 x\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n' },
    429,
    'rate-limited',
  ],
  [{ kind: 'answer', text: 'HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n' }, 502, 'bad-answer'],
  [
    { kind: 'answer', text: 'HTTP/1.1 302 x\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n' },
    502,
    'bad-answer',
  ],
] as const)("a registry that fails as %j is reported in the console's words", async (fault, status, code) => {
  await admin.send('GET', `${modulesApi}/search`);
  modules.proxy.fault = fault;
  modules.proxy.drop();
  const answer = await admin.send('GET', moduleAt('acme/net/aws', '/versions/1.0.0/location'));
  expect(codeOf(answer)).toEqual([status, code]);
});
