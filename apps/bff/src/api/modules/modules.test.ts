import { beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { answering } from '#test/fault-proxy.ts';
import {
  asked,
  codeOf,
  moduleAt,
  modulesApi,
  publish,
  useModules,
  readArchive,
  publishing,
  net,
  modules,
  admin,
} from '#test/modules.ts';

useModules();

const revisionOf = ({ json }: BrowserAnswer): string => String(json['revision']);

describe('lists', () => {
  beforeAll(async () => {
    for (const name of ['one', 'two', 'three']) await publish(admin, `listed/${name}/google/1.0.0`);
    await publish(admin, 'listed/one/azurerm/1.0.0');
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
    expect((await admin.send('GET', `${modulesApi}/search?q=a+b+c+d+e+f+g+h+i`)).json).toMatchObject({
      status: 400,
      detail: 'The query of the request is not valid: q: Search for at most 8 words.',
    });
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
    const lines = asked(modules);
    for (const namespace of ['..', 'a%2Fb', '%00', 'search'])
      expect(await list(`namespace=${namespace}`)).toEqual([[], null]);
    expect(lines).toEqual([]);
  });
});

test('versions have their own order, and the latest is the one that clients use', async () => {
  for (const version of ['1.9.0', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.11', '0.1.0'])
    await publish(admin, `acme/order/aws/${version}`);
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
  beforeAll(() => publish(admin, 'acme/said/aws/1.0.0'));

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
    const history = await admin.send(
      'GET',
      '/api/environments/test/activity?resource_id=acme/said/aws/1.0.0',
    );
    expect(history.json['items']).toMatchObject([
      { paths: ['unchanged=record'] },
      { outcome: 'refused' },
      { paths: Object.keys(fields) },
      {},
    ]);
    const revoked = await admin.send('PUT', `${at}/deprecation`, { body, revision: revisionOf(said) });
    expect(revoked.json['deprecation']).toMatchObject(body);
    expect(codeOf(await admin.send('POST', `${at}/restore`, { revision: revisionOf(said) }))).toEqual([
      409,
      'conflict',
    ]);
    const restored = await admin.send('POST', `${at}/restore`, { revision: revisionOf(revoked) });
    expect([restored.json['deprecation'], revisionOf(restored)]).toEqual([null, revisionOf(before)]);
  });

  test('is in the history of the version, whatever spelling was used', async () => {
    const version = 'acme/cased/aws/1.0.0';
    const { json } = await publish(admin, version);
    const other = moduleAt('ACME/Cased/aws', '/versions/1.0.0');
    const revision = String(json['revision']);
    const said = await admin.send('PUT', `${other}/deprecation`, { body: fields, revision });
    expect([said.status, said.text]).toEqual([200, expect.any(String)]);
    const history = await admin.send('GET', `/api/environments/test/activity?resource_id=${version}`);
    expect(history.json['items']).toMatchObject([
      { action: 'module-version.deprecate' },
      { action: 'module-version.publish' },
    ]);
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
    await publish(admin, 'acme/gone/aws/1.0.0');
    await publish(admin, 'acme/gone/aws/1.1.0');
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
  await publish(admin, 'acme/guarded/aws/1.0.0');
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
  await publish(admin, 'acme/vouched/aws/1.0.0');
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
  await publish(admin, 'acme/roles/aws/1.0.0');
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
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await publish(admin, `acme/used/aws/${version}`);
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
    daily_since: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
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
  await publish(admin, 'acme/where/aws/1.0.0');
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

test.each([
  [{ kind: 'hang up' }, 503, 'service-unavailable'],
  [answering(429, { 'retry-after': '7' }), 429, 'rate-limited'],
  [answering(503), 503, 'service-unavailable'],
  [answering(507), 507, 'storage-full'],
  [answering(500), 502, 'bad-answer'],
  [answering(302, { location: 'http://127.0.0.1:1/' }), 502, 'bad-answer'],
] as const)("a registry that fails as %j is reported in the console's words", async (fault, status, code) => {
  await admin.send('GET', `${modulesApi}/search`);
  modules.proxy.fault = fault;
  modules.proxy.drop();
  const answer = await admin.send('GET', moduleAt('acme/net/aws', '/versions/1.0.0/location'));
  expect(codeOf(answer)).toEqual([status, code]);
});
