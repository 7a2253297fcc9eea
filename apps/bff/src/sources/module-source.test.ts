import { buffer } from 'node:stream/consumers';
import { smallModule } from '@gatehouse/module-archive/testing/archives';
import type { Client } from '@gatehouse/module-registry/testing/client';
import { startServer, type TestServer } from '@gatehouse/module-registry/testing/server';
import { systemClock } from '@gatehouse/service-kit/clock';
import { Slices } from '@gatehouse/service-kit/slices';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answeringPaths,
  failureOf,
  json,
  startAnswering,
  type AnsweringServer,
} from '#test/answering-server.ts';
import type { ArchivePlace, ModuleSource, SourceModule } from './source.ts';
import { createSources, type Sources } from './sources.ts';

let server: TestServer;
let other: AnsweringServer;
let elsewhere: AnsweringServer;
let sources: Sources;
const { signal } = new AbortController();
const options = { signal, slices: new Slices(() => false, { name: 'ada', isKnown: true }) };

beforeAll(async () => {
  server = await startServer();
  other = await startAnswering();
  elsewhere = await startAnswering();
  sources = createSources({
    moves: { sources: [server.url, other.url, elsewhere.url] },
    clock: systemClock,
  });
});

beforeEach(() => {
  other.reset();
  elsewhere.reset();
});

afterAll(async () => {
  await sources.close();
  for (const one of [server, other, elsewhere]) await one[Symbol.asyncDispose]();
});

const sourceOf = (path = ''): ModuleSource => sources.modules(new URL(other.url + path), 'token');

function archiveOf(place: ArchivePlace): Extract<ArchivePlace, { kind: 'archive' }> {
  if (place.kind === 'archive') return place;
  throw new Error(place.reason);
}

describe('the embedded registry as a source', () => {
  const archive = smallModule();
  let admin: Client;

  beforeAll(async () => {
    admin = await server.as('administrator');
    for (const path of [
      'acme/net/aws/1.9.0',
      'acme/net/aws/1.10.0',
      'acme/net/azure/1.0.0',
      'else/net/aws/1.0.0',
    ])
      await admin.publish(path, archive);
    await admin.put('/v1/modules/acme/net/aws/1.9.0/deprecation', {
      state: 'deprecated',
      message: 'Use 1.10.0',
      replacement: '1.10.0',
    });
  });

  test('reads its modules, their versions and archives', async () => {
    const source = sources.modules(new URL(server.url), admin.token ?? '');
    expect((await source.modulesOf('acme', undefined, options)).toSorted()).toEqual([
      'acme/net/aws',
      'acme/net/azure',
    ]);
    expect(await source.modulesOf('acme', 'net', options)).toHaveLength(2);
    const module = await source.module('acme', 'net', 'aws', options);
    expect(module).toMatchObject({ namespace: 'acme', name: 'net', provider: 'aws', problems: [] });
    expect(module.versions.map(({ version, deprecation }) => [version, deprecation?.message])).toEqual([
      ['1.10.0', undefined],
      ['1.9.0', 'Use 1.10.0'],
    ]);
    const place = archiveOf(await source.archivePlace(module, '1.9.0', options));
    const whole = await source.archive(place, { ...options, offset: 0, validator: '' });
    expect((await buffer(whole.body)).equals(archive)).toBe(true);
    expect(await failureOf(source.module('acme', 'net', 'gone', options))).toMatchObject({
      code: 'not-found',
    });
    expect(await failureOf(source.archivePlace(module, '9.9.9', options))).toMatchObject({
      code: 'not-found',
    });
  });
});

describe('where modules are', () => {
  const versions = { modules: [{ versions: [{ version: '1.0.0' }] }] };
  const numbers = async (source: ModuleSource): Promise<string[]> =>
    (await source.module('acme', 'net', 'aws', options)).versions.map(({ version }) => version);

  test.each(['/api/v1/', '/api/v1', './../api/v1/'])(
    'are found by discovery on the same origin: %s',
    async (base) => {
      other.answer = answeringPaths({
        '/.well-known/terraform.json': { 'modules.v1': base },
        '/api/v1/acme/net/aws/versions': versions,
      });
      const source = sourceOf();
      expect([await numbers(source), await numbers(source)]).toEqual([['1.0.0'], ['1.0.0']]);
      // Discovery is requested once, and with the token, like everything else.
      expect(other.seen.filter(({ url }) => url?.includes('well-known'))).toHaveLength(1);
      expect(new Set(other.seen.map(({ headers }) => headers.authorization))).toEqual(
        new Set(['Bearer token']),
      );
    },
  );

  test('are found by discovery on another origin, which gets no token', async () => {
    other.answer = answeringPaths({ '/.well-known/terraform.json': { 'modules.v1': `${elsewhere.url}/m/` } });
    elsewhere.answer = answeringPaths({ '/m/acme/net/aws/versions': versions });
    expect(await numbers(sourceOf())).toEqual(['1.0.0']);
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).not.toContain('Bearer token');
  });

  test('are found by redirected discovery, relative to its final address', async () => {
    other.answer = (_req, res) =>
      void res.writeHead(302, { location: `${elsewhere.url}/.well-known/terraform.json` }).end();
    elsewhere.answer = answeringPaths({
      '/.well-known/terraform.json': { 'modules.v1': '/m/' },
      '/m/acme/net/aws/versions': versions,
    });
    expect(await numbers(sourceOf())).toEqual(['1.0.0']);
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).not.toContain('Bearer token');
  });

  test.each([{}, { '/.well-known/terraform.json': 'a page '.repeat(10_000) }])(
    'are at the address itself without discovery',
    async (discovery) => {
      other.answer = answeringPaths({ ...discovery, '/own/acme/net/aws/versions': versions });
      expect(await numbers(sourceOf('/own/'))).toEqual(['1.0.0']);
    },
  );

  test.each([
    'https://10.0.0.1/v1/',
    'https://[::1]/v1/',
    'http://elsewhere.example/v1/',
    'file:///v1/',
    'https://me:canary@elsewhere.example/',
    'https://[',
    '/v1/?x=y',
  ])('are not read at %s', async (base) => {
    other.answer = answeringPaths({ '/.well-known/terraform.json': { 'modules.v1': base } });
    const error = await failureOf(numbers(sourceOf()));
    expect(error).toMatchObject({ code: 'bad-answer' });
    expect(error.message).not.toContain('canary');
  });

  test.each([[{}], [[]], [{ 'modules.v1': 7 }]])('are not found by discovery of %j', async (answer) => {
    other.answer = answeringPaths({ '/.well-known/terraform.json': answer });
    expect(await failureOf(numbers(sourceOf()))).toMatchObject({ code: 'bad-answer' });
  });
});

describe('lists', () => {
  const module = (name: string, namespace = 'acme') => ({ namespace, name, provider: 'aws' });

  test('are read page by page, while pages lead on', async () => {
    other.answer = (req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', other.url);
      if (pathname !== '/acme') return void res.writeHead(404).end();
      const offset = Number(searchParams.get('offset'));
      json(res, {
        meta: { next_offset: Math.min(offset + 1, 2) },
        modules: [module(`n${offset}`), module('x', 'else'), 7, module('..')],
      });
    };
    expect(await sourceOf().modulesOf('acme', undefined, options)).toEqual([
      'acme/n0/aws',
      'acme/n1/aws',
      'acme/n2/aws',
    ]);
    expect(other.seen.filter(({ url }) => url?.startsWith('/acme?'))).toHaveLength(3);
  });

  test('are read one by one, in slices, and refused before that with more modules than a move takes', async () => {
    const listing = async (modules: readonly unknown[]) => {
      other.answer = answeringPaths({ '/acme': { modules } });
      const slices = new Slices(() => false, options.slices.asker);
      const asked = vi.spyOn(slices, 'giveWay');
      const [result] = await Promise.allSettled([
        sourceOf().modulesOf('acme', undefined, { signal, slices }),
      ]);
      return { result, asked: asked.mock.calls.length };
    };
    const { result, asked } = await listing(Array.from({ length: 3_000 }, (_, at) => module(`n${at}`)));
    expect(result).toMatchObject({ status: 'fulfilled', value: { length: 3_000 } });
    expect(asked).toBeGreaterThan(3_000);
    const refused = await listing(Array.from({ length: 290_000 }, () => 0));
    expect(refused.result).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'payload-too-large',
        message:
          'The source lists more than 10,000 modules, which is more than a move takes. Name the ones to move.',
      },
    });
    // Only for the text.
    expect(refused.asked).toBeLessThan(10_000);
  });

  test('that are too large are refused, but a module is read without texts that are', async () => {
    const large = { modules: [], description: 'x'.repeat(9 * 2 ** 20) };
    other.answer = answeringPaths({
      '/acme': large,
      '/acme/net/aws/versions': { modules: [{ versions: [{ version: '1.0.0' }] }] },
      '/acme/net/aws': large,
    });
    expect(await failureOf(sourceOf().modulesOf('acme', undefined, options))).toMatchObject({
      code: 'payload-too-large',
      message: "The source's response has more than 8,192 KiB, which is more than the console reads.",
    });
    expect(await sourceOf().module('acme', 'net', 'aws', options)).toMatchObject({
      description: '',
      versions: [{ version: '1.0.0' }],
    });
  });

  test('are replaced by a search if there are none', async () => {
    other.answer = answeringPaths({ '/search': { modules: [module('net'), module('net', 'else')] } });
    expect(await sourceOf().modulesOf('acme', undefined, options)).toEqual(['acme/net/aws']);
    expect(other.seen.at(-1)?.url).toBe('/search?q=acme&namespace=acme&limit=100&offset=0');
    other.answer = answeringPaths({});
    expect(await failureOf(sourceOf().modulesOf('acme', 'net', options))).toMatchObject({
      code: 'not-found',
    });
  });
});

test('names broken versions, and reads the others', async () => {
  const versions = [
    7,
    { version: '../x' },
    { version: '1.9.0', deprecation: 7 },
    { version: '1.10.0' },
    { version: '1.9.0' },
    { version: '1'.repeat(101) },
  ];
  other.answer = answeringPaths({
    '/acme/net/aws/versions': { modules: [{ versions }, 'a dependency'] },
    '/acme/net/aws': { description: 'Nets', source: 'https://git.example/net' },
  });
  expect(await sourceOf().module('acme', 'net', 'aws', options)).toEqual({
    namespace: 'acme',
    name: 'net',
    provider: 'aws',
    description: 'Nets',
    sourceUrl: 'https://git.example/net',
    versions: [
      { version: '1.10.0', deprecation: null },
      { version: '1.9.0', deprecation: null },
    ],
    problems: [
      'Entry 1 in the list of versions has an unreadable number and is skipped.',
      'Entry 2 in the list of versions has an unreadable number and is skipped.',
      'Entry 6 in the list of versions has an unreadable number and is skipped.',
    ],
  });
});

describe('the archive of a version', () => {
  const module: SourceModule = {
    namespace: 'acme',
    name: 'net',
    provider: 'aws',
    description: '',
    sourceUrl: '',
    versions: [],
    problems: [],
  };
  const sum = 'a'.repeat(64);
  const placeOf = async (location: string, how: 'terraform' | 'registry' | 'body' = 'terraform') => {
    other.answer = (req, res) => {
      if (req.url !== '/acme/net/aws/1.0.0/download') return void res.writeHead(404).end();
      if (how === 'body') return json(res, { location });
      res.writeHead(204, { [`x-${how}-get`]: location }).end();
    };
    return sourceOf().archivePlace(module, '1.0.0', options);
  };

  test.each(['terraform', 'registry', 'body'] as const)('is reported by %s', async (how) => {
    expect(await placeOf('https://store.example/net.tar.gz', how)).toEqual({
      kind: 'archive',
      url: 'https://store.example/net.tar.gz',
      checksum: '',
    });
  });

  test.each([
    ['/net.tgz', '/net.tgz', ''],
    ['./net.tgz', '/acme/net/aws/1.0.0/net.tgz', ''],
    ['/net?archive=tar.gz&x=%2F', '/net?x=%2F', ''],
    [`/net.tgz?checksum=sha256:${sum}`, '/net.tgz', `sha256:${sum}`],
    [`/net.tgz?checksum=md5:${'b'.repeat(32)}`, '/net.tgz', `md5:${'b'.repeat(32)}`],
  ])('%s', async (location, path, checksum) => {
    expect(await placeOf(location)).toEqual({ kind: 'archive', url: other.url + path, checksum });
  });

  test.each([
    ['git::https://git.example/net.git?ref=v1', 'with Git'],
    ['git@github.com:acme/net.git', 'with Git'],
    ['git::ssh://git@git.example/net.git', 'with Git'],
    ['ssh://git.example/net.git', 'with Git'],
    ['hg::https://hg.example/net', 'with Mercurial'],
    ['s3::https://s3.amazonaws.com/bucket/net.tgz', 'Amazon S3'],
    ['gcs::https://www.googleapis.com/storage/v1/net.tgz', 'Google Cloud Storage'],
    ['https://store.example/net.zip', '.tar.gz archive'],
    [`/net.tgz//modules/a?checksum=sha256:${sum}`, 'in a subfolder'],
    ['/net.tgz//*', 'in a subfolder'],
    ['https://me:canary@store.example/net.tgz', 'user name or password'],
    ['https://store.example/net.tgz?checksum=sha256:abc', 'checksum'],
    ['http://store.example/net.tgz', "isn't https"],
    ['https://10.0.0.1/net.tgz', 'private network'],
    ['https://169.254.169.254/net.tgz', 'private network'],
  ])("isn't copied: %s", async (location, words) => {
    const place = await placeOf(location);
    expect(place).toEqual({ kind: 'not-copied', reason: expect.stringContaining(words) });
    expect(JSON.stringify(place)).not.toContain('canary');
  });

  test("can't be found if the answer has no location", async () => {
    other.answer = (_req, res) => void res.writeHead(204).end();
    expect(await failureOf(sourceOf().archivePlace(module, '1.0.0', options))).toMatchObject({
      code: 'bad-answer',
    });
  });

  test('is fetched without the token, and continued', async () => {
    other.answer = (req, res) => {
      if (req.headers.range === undefined) return void res.writeHead(200, { etag: '"a"' }).end('0123456789');
      res.writeHead(206, { etag: '"a"', 'content-range': 'bytes 4-9/10' }).end('456789');
    };
    const place = { kind: 'archive', url: `${other.url}/net.tgz`, checksum: '' } as const;
    const whole = await sourceOf().archive(place, { ...options, offset: 0, validator: '' });
    expect([(await buffer(whole.body)).toString(), whole.validator]).toEqual(['0123456789', '"a"']);
    const rest = await sourceOf().archive(place, { ...options, offset: 4, validator: '"a"' });
    expect([rest.offset, (await buffer(rest.body)).toString()]).toEqual([4, '456789']);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

test('refuses a module with more versions than the console reads', async () => {
  const versions = Array.from({ length: 10_001 }, (_, at) => ({ version: `${at}.0.0` }));
  other.answer = answeringPaths({ '/acme/net/aws/versions': { modules: [{ versions }] } });
  expect(await failureOf(sourceOf().module('acme', 'net', 'aws', options))).toMatchObject({
    code: 'payload-too-large',
  });
});

test('reads a module with many versions in slices', async () => {
  const askedFor = async (versions: readonly object[]) => {
    other.answer = answeringPaths({ '/acme/net/aws/versions': { modules: [{ versions }] } });
    const slices = new Slices(() => false, { name: 'ada', isKnown: true });
    const asked = vi.spyOn(slices, 'giveWay');
    const found = await sourceOf().module('acme', 'net', 'aws', { signal, slices });
    return { found, asked: asked.mock.calls.length };
  };
  const count = 2_000;
  const broken = Array.from({ length: count }, () => ({}));
  expect((await askedFor(broken)).asked).toBeGreaterThanOrEqual(count);
  const versions = Array.from({ length: count }, (_, at) => ({ version: `1.${at}.0` }));
  const { found, asked } = await askedFor(versions);
  expect(found.versions.map(({ version }) => version)).toEqual(
    versions.map(({ version }) => version).toReversed(),
  );
  expect(asked).toBeGreaterThan(3 * count);
});

test("publishes a module's source address without its password", async () => {
  const told = { description: 'd', source: 'git::https://user:canary@git.example/net.git?ref=a@b' };
  other.answer = answeringPaths({
    '/acme/net/aws/versions': { modules: [{ versions: [] }] },
    '/acme/net/aws': told,
  });
  expect(await sourceOf().module('acme', 'net', 'aws', options)).toMatchObject({
    sourceUrl: 'git::https://git.example/net.git?ref=a@b',
  });
});
