/** The console with a registry that has only the protocol: the console itself reads allowed archives. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { archive, tar } from '@gatehouse/module-archive/testing/archives';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { startConsole, type TestConsole, type TestConsoleOptions } from '#test/console.ts';
import { codeOf, moduleAt, modulesApi, publishing } from '#test/modules.ts';
import {
  inHeader,
  protocolToken,
  startProtocolRegistry,
  type ProtocolRegistry,
} from '#test/protocol-registry.ts';

let registry: ProtocolRegistry;
/** Another host, which records requests that should not reach it. */
let elsewhere: ProtocolRegistry;
/** A console with default settings. Consoles with other settings are closed with their test. */
let shared: { readonly console: TestConsole; readonly page: Browser } | undefined;
let console: TestConsole | undefined;
/** What is read is cached, so each test has its own module. */
let module = '';
let one = '';
let count = 0;
beforeAll(async () => {
  registry = await startProtocolRegistry();
  elsewhere = await startProtocolRegistry();
});
beforeEach(() => {
  registry.reset();
  elsewhere.reset();
  module = `acme/net${(count += 1)}/aws`;
  one = moduleAt(module, '/versions/1.0.0');
  registry.versions.set(module, ['1.0.0', '1.10.0', '1.9.0']);
});
afterEach(async () => {
  await console?.close();
  console = undefined;
});
afterAll(async () => {
  await shared?.console.close();
  await registry[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

const net = archive({ 'main.tf': 'variable "size" {}\n', 'README.md': '# Net\n' });
const sha256 = createHash('sha256').update(net).digest('hex');

async function signIn(url = registry.url, settings: TestConsoleOptions['modulesSettings'] = {}) {
  console = await startConsole({
    modules: { kind: 'url', url: new URL(url) },
    modulesSettings: settings,
    bff: { limits: { callMs: 1_000 } },
  });
  const page = console.browser();
  const credentials = { method: 'token', token: protocolToken };
  const answer = await page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'modules', credentials },
  });
  return { page, answer };
}

async function open(settings?: TestConsoleOptions['modulesSettings']): Promise<Browser> {
  if (settings === undefined && shared !== undefined) return shared.page;
  const { page, answer } = await signIn(registry.url, settings);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  if (settings === undefined && console !== undefined) {
    shared = { console, page };
    console = undefined;
  }
  return page;
}

const contentOf = async (page: Browser) => (await page.send('GET', one)).json['content'];

test('reports missing features as such, and everything else works', async () => {
  registry.files.set('/files/net.tar.gz', net);
  const page = await open();
  expect((await page.send('GET', moduleAt(module))).json).toEqual({
    namespace: 'acme',
    name: module.split('/')[1],
    provider: 'aws',
    revision: expect.any(String),
    verified: false,
    owner: '',
    description: '',
    source: '',
    downloads: null,
    latest: '1.10.0',
    versions: ['1.10.0', '1.9.0', '1.0.0'].map((version) => ({
      version,
      published_time: '',
      deprecation: null,
    })),
    providers: ['aws'],
    address: `127.0.0.1:${registry.port}/${module}`,
    host: `127.0.0.1:${registry.port}`,
    services_url: `http://127.0.0.1:${registry.port}/api/registry/`,
    may: null,
  });
  const version = await page.send('GET', one);
  expect(version.json).toEqual({
    version: '1.0.0',
    revision: expect.any(String),
    owner: '',
    description: '',
    source: '',
    tag: '',
    published_time: '',
    deprecation: null,
    archive: { size: net.length, sha256 },
    content: {
      from: 'archive',
      reason: '',
      root: expect.objectContaining({
        readme: '# Net\n',
        inputs: [expect.objectContaining({ name: 'size', required: true })],
      }),
      submodules: [],
      examples: [],
      problems: [],
    },
  });
  expect((await page.send('GET', moduleAt(module, '/consumers'))).json).toEqual({ consumers: null });
  expect((await page.send('GET', `${modulesApi}/tokens`)).json).toEqual({ tokens: null });
  for (const path of [`${modulesApi}/search`, `${modulesApi}/search?q=net`, moduleAt(module, '/downloads')])
    expect(codeOf(await page.send('GET', path))).toEqual([404, 'not-found']);
  for (const more of ['', '/versions/1.0.0', '/versions/1.0.0/location'])
    expect(codeOf(await page.send('GET', moduleAt('acme/none/aws', more)))).toEqual([404, 'not-found']);
  expect(codeOf(await page.send('GET', moduleAt(module, '/versions/7.0.0')))).toEqual([404, 'not-found']);

  // Changes aren't tried, because a foreign registry might misread them.
  const before = registry.seen.length;
  const revision = String(version.json['revision']);
  const changes = [
    page.send('POST', `${one}/publish`, publishing(net)),
    page.send('POST', `${modulesApi}/archive`, { body: { archive: net.toString('base64') } }),
    page.send('PUT', `${one}/deprecation`, {
      body: { state: 'revoked', message: 'x', replacement: '' },
      revision,
    }),
    page.send('DELETE', one, { revision }),
    page.send('DELETE', `${modulesApi}/tokens/x`),
  ];
  for (const answer of await Promise.all(changes)) {
    expect(codeOf(answer)).toEqual([404, 'not-found']);
    expect(answer.json['detail']).toContain('can only read this module registry');
  }
  expect(registry.seen.slice(before).map(({ method }) => method)).not.toContain('PUT');
  expect(registry.seen.slice(before).map(({ method }) => method)).not.toContain('DELETE');
});

test('knows for a while that the registry has only the protocol', async () => {
  registry.base = '/v1/modules/';
  registry.discovery = { 'modules.v1': '/v1/modules/' };
  const page = await open({});
  const asked = () => registry.seen.filter(({ path }) => path === '/v1/tokens/self').length;
  const before = asked();
  const read = () => page.send('GET', moduleAt(module, '/consumers'));
  for (const _time of [1, 2, 3]) expect((await read()).json).toEqual({ consumers: null });
  expect(asked()).toBe(before + 1);
  console?.clock.advance(5 * 60_000);
  await read();
  expect(asked()).toBe(before + 2);
});

test("takes a token's 403 for that token only", async () => {
  registry.base = '/v1/modules/';
  registry.discovery = { 'modules.v1': '/v1/modules/' };
  const page = await open({});
  const answers = [403, 200].values();
  registry.files.set('/v1/tokens/self', (_req, res) => {
    const own = { id: 't', description: '', created_at: '', last_used_at: '', username: 'ada' };
    res.writeHead(answers.next().value ?? 500, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ...own, role: 'operator' }));
  });
  registry.files.set('/v1/tokens', (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"tokens":[]}');
  });
  const read = async () => (await page.send('GET', `${modulesApi}/tokens`)).json;
  expect(await read()).toEqual({ tokens: null });
  expect(await read()).toEqual({ tokens: [] });
});

test('a rejected token is refused if the registry shows it, and no password is accepted', async () => {
  registry.files.set('/api/registry', (req, res) => {
    res.writeHead(req.headers.authorization === `Bearer ${protocolToken}` ? 404 : 401).end();
  });
  const page = await open({});
  const other = (credentials: object) =>
    page.send('POST', '/api/session', { body: { environment: 'test', service: 'modules', credentials } });
  expect(codeOf(await other({ method: 'token', token: 'another' }))).toEqual([401, 'sign-in-failed']);
  const password = await other({ method: 'password', login_name: 'ada', password: 'x' });
  expect(password.json).toMatchObject({ code: 'sign-in-failed', detail: expect.stringContaining('token') });
});

describe('service discovery', () => {
  test.each([
    ['a path', () => '/api/registry/'],
    ['a path without a slash at its end', () => '/api/registry'],
    ['a path beside the document', () => '../api/registry/'],
    ['an address of its own', () => `${registry.url}/api/registry/`],
  ])('works by %s', async (_form, address) => {
    registry.discovery = { 'modules.v1': address(), 'providers.v1': '/other/' };
    const page = await open({});
    expect((await page.send('GET', moduleAt(module))).json).toMatchObject({ latest: '1.10.0' });
  });

  test('works by the address that its clients use', async () => {
    registry.discovery = { 'modules.v1': 'https://modules.example/api/registry/' };
    const page = await open({ clientUrl: new URL('https://modules.example') });
    expect((await page.send('GET', moduleAt(module))).json).toMatchObject({
      address: `modules.example/${module}`,
    });
  });

  test.each([
    ['another host', () => `${elsewhere.url}/api/registry/`],
    ['another host without a scheme', () => `//127.0.0.1:${elsewhere.port}/api/registry/`],
    ['a host with a password', () => `http://a:b@127.0.0.1:${registry.port}/api/registry/`],
    ['a query', () => '/api/registry/?x=1'],
    ['another scheme', () => 'file:///etc/passwd'],
  ])('refuses %s, and sends no token there', async (_form, address) => {
    registry.discovery = { 'modules.v1': address() };
    const { answer } = await signIn();
    expect(codeOf(answer)).toEqual([502, 'bad-answer']);
    expect(answer.json['detail']).toContain('names another host');
    expect(elsewhere.seen).toEqual([]);
  });

  test('without modules or without an answer means no registry, except with a configured path', async () => {
    registry.discovery = { 'providers.v1': '/x/' };
    expect(codeOf((await signIn()).answer)).toEqual([502, 'bad-answer']);
    await console?.close();
    registry.discovery = undefined;
    expect(codeOf((await signIn()).answer)).toEqual([502, 'bad-answer']);
    await console?.close();
    const { page } = await signIn(`${registry.url}/api/registry/`);
    expect((await page.send('GET', moduleAt(module))).json).toMatchObject({ latest: '1.10.0' });
  });
});

describe('the location of an archive', () => {
  const at = () => `/api/registry/${module}/1.0.0`;
  test.each([
    ['from the root', '/files/net.tar.gz', '/files/net.tar.gz'],
    ['beside the download', './net.tar.gz', () => `${at()}/net.tar.gz`],
    ['above it', '../net.tar.gz', () => `/api/registry/${module}/net.tar.gz`],
    ['far above it', '../../../../../../files/net.tgz', '/files/net.tgz'],
    ['by its name', () => `${registry.url}/files/net.tar.gz`, '/files/net.tar.gz'],
    ['with an archive that is named', '/files/net?archive=tar.gz', '/files/net'],
    ['with its checksum', `/files/net?archive=tgz&checksum=sha256:${sha256}&x=1%2F2`, '/files/net'],
    ['with a checksum without its kind', `/files/net.tgz?checksum=${sha256}`, '/files/net.tgz'],
  ])('is resolved %s', async (_form, given, reached) => {
    const location = typeof given === 'string' ? given : given();
    const path = typeof reached === 'string' ? reached : reached();
    registry.download = inHeader(location);
    registry.files.set(path, net);
    const page = await open();
    expect(await contentOf(page)).toMatchObject({ from: 'archive', root: { readme: '# Net\n' } });
    const fetched = registry.seen.filter((seen) => seen.path.split('?')[0] === path);
    expect(fetched).toHaveLength(1);
    expect(fetched[0]?.headers.authorization).toBeUndefined();
    expect(fetched[0]?.path).not.toMatch(/archive=|checksum=/);
    if (location.includes('x=1')) expect(fetched[0]?.path).toBe('/files/net?x=1%2F2');
    expect((await page.send('GET', `${one}/location`)).json).toEqual({
      location,
      url: new URL(location, `${registry.url}${at()}/download`).href,
      readable: true,
      reason: '',
    });
  });

  test.each([
    ['the other header', inHeader('/files/net.tar.gz', 'X-Registry-Get')],
    [
      'a body',
      (res: Parameters<ProtocolRegistry['download']>[0]) =>
        res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ location: '/files/net.tar.gz' })),
    ],
  ])('is read from %s', async (_how, download) => {
    registry.download = download;
    registry.files.set('/files/net.tar.gz', net);
    expect(await contentOf(await open())).toMatchObject({ from: 'archive' });
  });

  test('is a bad answer if missing', async () => {
    registry.download = (res) => res.writeHead(204).end();
    const page = await open();
    expect(codeOf(await page.send('GET', `${one}/location`))).toEqual([502, 'bad-answer']);
  });

  test('may name a folder of the archive, with any name', async () => {
    const inFolder = (folder: string) =>
      archive({ [`${folder}/main.tf`]: '', [`${folder}/modules/peer/main.tf`]: 'variable "peer" {}' });
    registry.files.set('/files/net.tar.gz', inFolder('net-1234'));
    const page = await open();
    const read = async (location: string) => {
      registry.download = inHeader(location);
      return contentOf(page);
    };
    expect(await read('/files/net.tar.gz//*/modules/peer')).toMatchObject({
      from: 'archive',
      root: { inputs: [{ name: 'peer' }] },
    });
    expect(await read('/files/net.tar.gz//*?archive=tar.gz')).toMatchObject({
      root: { inputs: [] },
      submodules: [{ path: 'modules/peer' }],
    });
    expect(await read('/files/net.tar.gz//net-1234/modules/none')).toMatchObject({
      from: 'nobody',
      reason: expect.stringContaining('no module in the folder net-1234/modules/none'),
    });
    expect(await read('/files/net.tar.gz')).toMatchObject({
      from: 'nobody',
      reason: expect.stringContaining('the folder net-1234'),
    });
  });

  test.each([
    ['git::https://git.example/net.git?ref=v1.0.0', 'with Git'],
    ['git@github.com:acme/net.git', 'with Git'],
    ['github.com/acme/net', 'with Git'],
    ['ssh://git@git.example/net.git', 'with Git'],
    ['hg::https://hg.example/net', 'with Mercurial'],
    ['s3::https://s3.amazonaws.com/bucket/net.tar.gz', 'Amazon S3'],
    ['gcs::https://www.googleapis.com/storage/v1/modules/net.tar.gz', 'Google Cloud Storage'],
    ['file:///etc/passwd', 'another downloader'],
    ['net.tar.gz', 'another downloader'],
  ])('%s is shown unchanged with the reason', async (location, words) => {
    registry.download = inHeader(location);
    const page = await open();
    const content = { from: 'nobody', reason: expect.stringContaining(words), root: null, problems: [] };
    expect(await contentOf(page)).toMatchObject(content);
    expect((await page.send('GET', `${one}/location`)).json).toEqual({
      location,
      url: '',
      readable: false,
      reason: content.reason,
    });
  });

  test.each([
    ['/files/net.zip', '.tar.gz archive'],
    ['/files/net', '.tar.gz archive'],
    ['/files/net.tar.gz?archive=zip', '.tar.gz archive'],
    ['/files/net.tar.gz?archive=false', '.tar.gz archive'],
    ['/files/net.tar.gz?checksum=file:https://x.example/sums', 'checksum'],
    ['/files/net.tar.gz?checksum=sha256:abc', 'checksum'],
    ['/files/net.tar.gz?checksum=md5:00000000000000000000000000000000', 'checksum differs'],
    [`/files/net.tar.gz?checksum=sha256:${'0'.repeat(64)}`, 'checksum differs'],
    ['/files/none.tar.gz', 'status 404'],
    ['/files/bad.tar.gz', 'not gzip'],
    ['/files/encoded.tar.gz', "a Content-Encoding that wasn't requested"],
    ['/files/cut.tar.gz', 'closed the connection'],
  ])('%s is not read, with the reason', async (location, words) => {
    registry.files.set('/files/net.tar.gz', net);
    registry.files.set('/files/bad.tar.gz', Buffer.from('<h1>Not found, sorry</h1>'));
    registry.files.set('/files/encoded.tar.gz', (_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(net));
    });
    registry.files.set('/files/cut.tar.gz', (_req, res) => {
      res.writeHead(200, { 'content-length': net.length }).write(net.subarray(0, 20));
      res.destroy();
    });
    registry.download = inHeader(location);
    expect(await contentOf(await open())).toMatchObject({
      from: 'nobody',
      reason: expect.stringContaining(words),
      root: null,
    });
  });

  test('is requested each time, but the archive is read once', async () => {
    registry.files.set('/files/net.tar.gz', net);
    let signature = 0;
    registry.download = (res) => inHeader(`/files/net.tar.gz?signature=${(signature += 1)}`)(res);
    const page = await open();
    const all = await Promise.all([1, 2, 3].map(() => contentOf(page)));
    expect(all.map((content) => JSON.stringify(content))).toEqual(Array(3).fill(JSON.stringify(all[0])));
    await contentOf(page);
    expect(signature).toBe(4);
    expect(registry.seen.filter(({ path }) => path.startsWith('/files/'))).toHaveLength(1);
  });

  test('is fetched two at a time for one user', async () => {
    const numbers = ['1.0.0', '1.9.0', '1.10.0'];
    const held: ServerResponse[] = [];
    let isOpen = false;
    registry.files.set('/files/net.tar.gz', (_req, res) => {
      if (isOpen) res.end(net);
      else held.push(res);
    });
    const page = await open();
    const all = Promise.all(
      numbers.map(async (number) => (await page.send('GET', moduleAt(module, `/versions/${number}`))).json),
    );
    const located = () => registry.seen.filter(({ path }) => path.endsWith('/download')).length;
    await expect.poll(() => [located(), held.length]).toEqual([3, 2]);
    // If the third were not waiting, it would be sent before this.
    await page.send('GET', moduleAt(module));
    expect(held).toHaveLength(2);
    isOpen = true;
    for (const res of held) res.end(net);
    for (const { content } of await all) expect(content).toMatchObject({ from: 'archive' });
  });

  test("is tried again after an archive couldn't be read", async () => {
    const page = await open();
    expect(await contentOf(page)).toMatchObject({ from: 'nobody' });
    registry.files.set('/files/net.tar.gz', net);
    expect(await contentOf(page)).toMatchObject({ from: 'archive' });
  });

  test('is reported as unreadable if the archive unpacks to too much', async () => {
    const zeros = Buffer.alloc(300 * 2 ** 20);
    registry.files.set('/files/net.tar.gz', gzipSync(tar([{ name: 'main.tf', body: zeros }])));
    expect(await contentOf(await open())).toMatchObject({
      from: 'nobody',
      reason: expect.stringContaining('MiB'),
    });
  });
});

describe('archives on other hosts', () => {
  const reason = expect.stringContaining('private network');

  test.each([
    ['an address', () => `${elsewhere.url}/files/net.tar.gz`],
    ['a name', () => `http://localhost:${elsewhere.port}/files/net.tar.gz`],
    ['an address in another form', () => `http://2130706433:${elsewhere.port}/files/net.tar.gz`],
    ['IPv4 in IPv6', () => `http://[::ffff:127.0.0.1]:${elsewhere.port}/files/net.tar.gz`],
    ['no scheme', () => `//127.0.0.1:${elsewhere.port}/files/net.tar.gz`],
  ])('in a private network are not fetched: %s', async (_form, address) => {
    elsewhere.files.set('/files/net.tar.gz', net);
    registry.download = inHeader(address());
    const page = await open();
    expect(await contentOf(page)).toMatchObject({ from: 'nobody', reason });
    expect(elsewhere.seen).toEqual([]);
  });

  test.each([
    ['there', () => `${elsewhere.url}/files/net.tar.gz`],
    ['to a file', () => 'file:///etc/passwd'],
    ['to what is no address', () => 'http://['],
    ['with a password', () => `http://a:b@127.0.0.1:${elsewhere.port}/files/net.tar.gz`],
  ])('are not fetched by a redirect %s either', async (where, address) => {
    elsewhere.files.set('/files/net.tar.gz', net);
    registry.files.set('/files/net.tar.gz', (_req, res) => {
      res.writeHead(302, { location: address() }).end();
    });
    // The configuration allows an origin, but no account there.
    const page = await open(where === 'with a password' ? { archiveOrigins: [elsewhere.url] } : undefined);
    expect(await contentOf(page)).toMatchObject({ from: 'nobody', root: null });
    expect(elsewhere.seen).toEqual([]);
  });

  test('are fetched without the token from configured origins', async () => {
    elsewhere.files.set('/files/net.tar.gz', net);
    registry.files.set('/files/net.tar.gz', (_req, res) => {
      res.writeHead(307, { location: `${elsewhere.url}/files/net.tar.gz` }).end();
    });
    const page = await open({ archiveOrigins: [elsewhere.url] });
    expect(await contentOf(page)).toMatchObject({ from: 'archive' });
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('with endless redirects are given up', async () => {
    registry.files.set('/files/net.tar.gz', (_req, res) => {
      res.writeHead(302, { location: '/files/net.tar.gz' }).end();
    });
    expect(await contentOf(await open())).toMatchObject({
      reason: expect.stringContaining('more than 5 times'),
    });
    expect(registry.seen.filter(({ path }) => path.startsWith('/files/'))).toHaveLength(6);
  });
});

test.each([
  [200, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [200, 'application/json', '{"modules":"canary"}', [502, 'bad-answer']],
  [200, 'application/json', '{"modules":[', [502, 'bad-answer']],
  [302, 'text/html', 'canary', [502, 'bad-answer']],
  [400, 'application/json', '{"errors":["canary"]}', [400, 'invalid-request']],
  [403, 'application/json', '{"errors":["canary"]}', [403, 'forbidden']],
  [429, 'text/html', 'canary', [429, 'rate-limited']],
  [500, 'application/json', '{"errors":["canary"]}', [502, 'bad-answer']],
  [503, 'application/json', '{"errors":["canary"]}', [503, 'service-unavailable']],
] as const)(
  "an answer of %i as %s, %s, becomes a problem in the console's words",
  async (status, type, text, expected) => {
    const page = await open();
    registry.files.set(`/api/registry/${module}/versions`, (_req, res) => {
      res.writeHead(status, { 'content-type': type, location: '/', 'retry-after': '7' }).end(text);
    });
    const answer = await page.send('GET', moduleAt(module));
    expect(codeOf(answer)).toEqual(expected);
    expect(answer.text).not.toContain('canary');
  },
);

test('reports a timeout, and signs in again after the registry refuses the token', async () => {
  const page = await open({});
  registry.files.set(`/api/registry/${module}/versions`, () => undefined);
  expect(codeOf(await page.send('GET', moduleAt(module)))).toEqual([504, 'service-timeout']);
  registry.files.set(`/api/registry/${module}/versions`, (_req, res) => {
    res.writeHead(401, { 'content-type': 'application/json' }).end('{"errors":["canary"]}');
  });
  expect(codeOf(await page.send('GET', moduleAt(module)))).toEqual([424, 'not-connected']);
});

describe('a registry with ETags', () => {
  const detail = (deprecation: object | null) => ({
    id: `${module}/1.0.0`,
    namespace: 'acme',
    name: module.split('/')[1],
    provider: 'aws',
    version: '1.0.0',
    root: {},
    deprecation,
  });
  const json = (status: number, body: unknown, headers = {}): Parameters<typeof registry.files.set>[1] => {
    return (_req, res) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const said = { state: 'deprecated', message: 'Slow.', replacement: '' };
  const place = () => `/v1/modules/${module}/1.0.0`;
  const openManaged = async () => {
    registry.base = '/v1/modules/';
    registry.discovery = { 'modules.v1': '/v1/modules/' };
    const own = { id: 't', description: '', created_at: '', last_used_at: '', username: 'ada' };
    registry.files.set('/v1/tokens/self', json(200, { ...own, role: 'operator' }));
    return open({});
  };

  test.each([
    ['"7"', '"7"'],
    ['W/"7"', undefined],
  ])('is sent %s back as %s', async (etag, expected) => {
    const page = await openManaged();
    registry.files.set(place(), json(200, detail(null), { etag }));
    registry.files.set(
      `${place()}/deprecation`,
      json(200, detail({ ...said, date: '2026-01-01T00:00:00Z' })),
    );
    const revision = String((await page.send('GET', one)).json['revision']);
    const answer = await page.send('PUT', `${one}/deprecation`, { body: said, revision });
    expect(answer.json['deprecation']).toMatchObject(said);
    const sent = registry.seen.find(({ path }) => path === `${place()}/deprecation`);
    expect(sent?.headers['if-match']).toBe(expected);
  });

  test('reports a concurrent change of a version itself', async () => {
    const page = await openManaged();
    registry.files.set(place(), json(200, detail(null), { etag: '"7"' }));
    registry.files.set(`${place()}/deprecation`, (_req, res) => {
      registry.files.set(
        place(),
        json(200, detail({ state: 'revoked', message: 'Leaks.' }), { etag: '"8"' }),
      );
      res.writeHead(412, { 'content-type': 'application/json' }).end('{"errors":["canary"]}');
    });
    const revision = String((await page.send('GET', one)).json['revision']);
    const answer = await page.send('PUT', `${one}/deprecation`, { body: said, revision });
    expect(answer.json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', current: { deprecation: { state: 'revoked', message: 'Leaks.' } } },
    });
  });
});

test.each([{ downloads: 1e300 }, { downloads: 1.5 }, { archive: { size: 0.5, sha256: 'x' } }])(
  'reports an impossible count as a bad answer: %o',
  async (odd) => {
    const page = await open();
    const told = { id: 'x', namespace: 'acme', name: 'net', provider: 'aws', version: '1.0.0', ...odd };
    registry.files.set(`${registry.base}${module}/1.0.0`, (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    });
    expect(codeOf(await page.send('GET', one))).toEqual([502, 'bad-answer']);
  },
);
