import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createProvider, digest, send, uploadPath } from '@gatehouse/box-registry/testing/publishing';
import { startServer, type TestServer } from '@gatehouse/box-registry/testing/server';
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
import type { BoxSource, SourceImage } from './source.ts';
import { createSources, type Sources } from './sources.ts';

let server: TestServer;
/** A registry with scripted answers, and its store. */
let other: AnsweringServer;
let store: AnsweringServer;
let sources: Sources;
const { signal } = new AbortController();
const options = { signal, slices: new Slices(() => false, { name: 'ada', isKnown: true }) };

beforeAll(async () => {
  server = await startServer();
  other = await startAnswering();
  store = await startAnswering();
  sources = createSources({ moves: { sources: [server.url, other.url, store.url] }, clock: systemClock });
});

beforeEach(() => {
  other.reset();
  store.reset();
});

afterAll(async () => {
  await sources.close();
  for (const one of [server, other, store]) await one[Symbol.asyncDispose]();
});

const sourceOf = (token = '', path = ''): BoxSource => sources.boxes(new URL(other.url + path), token);

const imageAt = (url: string, fields: Partial<SourceImage> = {}): SourceImage => ({
  provider: 'virtualbox',
  architecture: null,
  isDefault: null,
  hosted: true,
  url,
  checksum: '',
  checksumType: null,
  size: null,
  ...fields,
});

describe('the embedded registry as a source', () => {
  const image = randomBytes(100_000);
  let token = '';

  beforeAll(async () => {
    const admin = await server.as('administrator');
    token = admin.token ?? '';
    const checksum = { checksum: digest('sha256', image), checksum_type: 'sha256' };
    const published = await createProvider(admin, 'moved', checksum);
    await send(await uploadPath(admin, published), image);
    await admin.put(published.box, { box: { description: '# Moved', short_description: 'It moves' } });
    await admin.put(`${published.version}/release`);
    await admin.post(`${published.box}/versions`, { version: { version: '1.10.0', description: 'later' } });
    await admin.post(`${published.box}/version/1.10.0/providers`, {
      provider: { name: 'libvirt', url: 'http://elsewhere.example/x.box' },
    });
    await createProvider(admin, 'hidden');
    await admin.put('/api/v1/box/admin/hidden', { box: { is_private: true } });
  });

  test('reads its boxes, with everything that a move copies', async () => {
    const source = sources.boxes(new URL(server.url), token);
    expect((await source.boxesOf('admin', options)).toSorted()).toEqual(['admin/hidden', 'admin/moved']);
    expect(await source.box('admin', 'moved', options)).toMatchObject({
      owner: 'admin',
      name: 'moved',
      shortDescription: 'It moves',
      description: '# Moved',
      isPrivate: false,
      problems: [],
      versions: [
        {
          version: '1.10.0',
          status: 'unreleased',
          description: 'later',
          images: [
            { provider: 'libvirt', hosted: false, url: 'http://elsewhere.example/x.box', checksum: '' },
          ],
        },
        {
          version: '1.0.0',
          status: 'active',
          images: [
            {
              provider: 'virtualbox',
              hosted: true,
              checksum: digest('sha256', image),
              checksumType: 'sha256',
              size: image.length,
            },
          ],
        },
      ],
    });
    expect(await source.box('admin', 'hidden', options)).toMatchObject({ isPrivate: true });
  });

  test('reads an image, whole and from an offset', async () => {
    const source = sources.boxes(new URL(server.url), token);
    const { versions } = await source.box('admin', 'moved', options);
    const found = versions[1]?.images[0] ?? imageAt('');
    const whole = await source.image(found, { ...options, offset: 0, validator: '' });
    expect({ offset: whole.offset, size: whole.size }).toEqual({ offset: 0, size: image.length });
    expect((await buffer(whole.body)).equals(image)).toBe(true);
    const { validator } = whole;
    expect(validator).not.toBe('');
    const rest = await source.image(found, { ...options, offset: 99_000, validator });
    expect({ offset: rest.offset, size: rest.size }).toEqual({ offset: 99_000, size: image.length });
    expect((await buffer(rest.body)).equals(image.subarray(99_000))).toBe(true);
    const end = await source.image(found, { ...options, offset: image.length, validator });
    expect([end.offset, end.size, (await buffer(end.body)).length]).toEqual([image.length, image.length, 0]);
    expect(await source.sizeOf(found, options)).toBe(image.length);
  });

  test('reads a provider of two architectures, each with its image', async () => {
    const admin = await server.as('administrator');
    const published = await createProvider(admin, 'wide');
    const version = '/api/v2/box/admin/wide/version/1.0.0';
    await admin.post(`${version}/providers`, { provider: { name: 'virtualbox', architecture: 'arm64' } });
    const images = { unknown: randomBytes(1000), arm64: randomBytes(2000) };
    for (const [architecture, bytes] of Object.entries(images)) {
      const provider = `${version}/provider/virtualbox/${architecture}`;
      await send(await uploadPath(admin, { ...published, provider }), bytes);
    }
    const source = sources.boxes(new URL(server.url), token);
    const [found] = (await source.box('admin', 'wide', options)).versions;
    expect(
      found?.images.map(({ architecture, isDefault, size }) => [architecture, isDefault, size]).toSorted(),
    ).toEqual([
      ['arm64', false, 2000],
      ['unknown', true, 1000],
    ]);
    for (const one of found?.images ?? []) {
      const bytes = await buffer((await source.image(one, { ...options, offset: 0, validator: '' })).body);
      expect(digest('sha256', bytes)).toBe(one.checksum);
      expect(await source.sizeOf(one, options)).toBe(one.size);
    }
  });

  test('reads only public boxes without a token, and refuses a wrong token instead of leaving it out', async () => {
    const anonymous = sources.boxes(new URL(server.url), '');
    expect((await anonymous.box('admin', 'moved', options)).versions.at(-1)?.version).toBe('1.0.0');
    expect(await failureOf(anonymous.box('admin', 'hidden', options))).toMatchObject({
      code: expect.stringMatching(/^(?:not-found|forbidden)$/),
    });
    const wrong = sources.boxes(new URL(server.url), 'wrong');
    expect(await failureOf(wrong.box('admin', 'moved', options))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(wrong.boxesOf('admin', options))).toMatchObject({ code: 'forbidden' });
  });
});

describe('a box', () => {
  const provider = { name: 'virtualbox', checksum: 'A'.repeat(64), checksum_type: 'sha256' };
  const wire = {
    name: 'box',
    short_description: 'Short',
    description: '<p>HTML</p>',
    private: true,
    versions: [
      {
        version: '1.0.0',
        status: 'revoked',
        description: '<p>HTML</p>',
        providers: [
          {
            ...provider,
            hosted: true,
            architecture: 'arm64',
            default_architecture: true,
            download_url: 'https://store.example/x',
          },
        ],
      },
    ],
  };
  const metadata = {
    name: 'acme/box',
    description: 'Markdown',
    versions: [{ version: '1.0.0', providers: [{ ...provider, url: '/download/x' }] }],
  };

  test.each(['', '/prefix', '/prefix/'])('is read by version 2 of the API, below %j', async (path) => {
    const prefix = path.replace(/\/$/, '');
    other.answer = answeringPaths({
      [`${prefix}/api/v2/box/acme/box`]: wire,
      [`${prefix}/api/v1/box/acme/box`]: { name: 'other' },
    });
    expect(await sourceOf('', path).box('acme', 'box', options)).toEqual({
      owner: 'acme',
      name: 'box',
      shortDescription: 'Short',
      description: '',
      isPrivate: true,
      problems: [],
      versions: [
        {
          version: '1.0.0',
          description: '',
          status: 'revoked',
          images: [
            {
              provider: 'virtualbox',
              architecture: 'arm64',
              isDefault: true,
              hosted: true,
              url: 'https://store.example/x',
              checksum: 'a'.repeat(64),
              checksumType: 'sha256',
              size: null,
            },
          ],
        },
      ],
    });
  });

  test('is refused with more versions and images than the console reads', async () => {
    const images = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `p${at}`, url: '/x' }));
    const ofBox = (versions: object[]) =>
      answeringPaths({ '/api/v2/box/acme/box': { name: 'box', versions } });
    other.answer = ofBox(Array.from({ length: 10_001 }, (_, at) => ({ version: `${at}` })));
    const refused = { code: 'payload-too-large' };
    expect(await failureOf(sourceOf().box('acme', 'box', options))).toMatchObject(refused);
    other.answer = ofBox([
      { version: '1', providers: images(10_000) },
      { version: '2', providers: images(10_001) },
    ]);
    expect(await failureOf(sourceOf().box('acme', 'box', options))).toMatchObject(refused);
    const long = 'x'.repeat(70_000);
    other.answer = ofBox([
      { version: '1', description_markdown: long, providers: [{ name: 'p', url: `/${long}` }] },
    ]);
    const found = await sourceOf().box('acme', 'box', options);
    expect(found.versions[0]).toMatchObject({ description: long.slice(0, 65_536), images: [] });
  });

  test('of more than 1,000 images waits for the turn of large ones, which its answer does not show', async () => {
    let taken = 0;
    const largeTurn = { isTaken: false, take: () => Promise.resolve(void (taken += 1)) };
    for (const images of [1_000, 1_001]) {
      const providers = Array.from({ length: images }, (_, index) => ({ name: `p${index}`, hosted: true }));
      other.answer = (_req, res) => json(res, { ...wire, versions: [{ version: '1.0.0', providers }] });
      const { versions } = await sourceOf().box('acme', 'box', { ...options, largeTurn });
      expect([versions[0]?.images.length, taken]).toEqual([images, images - 1_000]);
    }
  });

  test('is read in slices, its versions newest first', async () => {
    const count = 2_000;
    const askedFor = async (versions: readonly object[]) => {
      other.answer = answeringPaths({ '/api/v2/box/acme/box': { name: 'box', versions } });
      const slices = new Slices(() => false, { name: 'ada', isKnown: true });
      const asked = vi.spyOn(slices, 'giveWay');
      const found = await sourceOf().box('acme', 'box', { signal, slices });
      return { found, asked: asked.mock.calls.length };
    };
    const broken = Array.from({ length: count }, () => ({}));
    expect((await askedFor(broken)).asked).toBeGreaterThanOrEqual(count);
    expect((await askedFor([{ version: '1.0.0', providers: broken }])).asked).toBeGreaterThanOrEqual(count);
    // Each number once, in random order.
    const numbers = Array.from({ length: count }, (_, at) => (at * 777) % 2_003).filter((at) => at < count);
    const { found, asked } = await askedFor(numbers.map((at) => ({ version: `1.${at}` })));
    expect(found.versions.map(({ version }) => version)).toEqual(
      numbers.toSorted((one, before) => before - one).map((at) => `1.${at}`),
    );
    expect(asked).toBeGreaterThan(3 * count);
  });

  test('is read by version 1, and only by that from then on', async () => {
    other.answer = answeringPaths({ '/api/v1/box/acme/box': wire });
    const source = sourceOf();
    expect((await source.box('acme', 'box', options)).isPrivate).toBe(true);
    other.seen.length = 0;
    expect(await failureOf(source.box('acme', 'other', options))).toMatchObject({ code: 'not-found' });
    expect(other.seen.map(({ url }) => url)).toEqual(['/api/v1/box/acme/other']);
  });

  test.each(['/api/v2/vagrant/acme/box', '/acme/box'])('is read by metadata at %s', async (path) => {
    other.answer = answeringPaths({ [path]: metadata });
    expect(await sourceOf().box('acme', 'box', options)).toMatchObject({
      description: 'Markdown',
      isPrivate: null,
      versions: [
        {
          status: 'active',
          images: [{ architecture: null, isDefault: null, hosted: true, url: `${other.url}/download/x` }],
        },
      ],
    });
  });

  test('is read by metadata if the API requires a token, which is reported if there is no metadata', async () => {
    const behind: RequestListener = (req, res) =>
      req.url === '/acme/box'
        ? json(res, metadata)
        : json(res, {}, req.url === '/api/v1/box/acme/none' || req.url?.endsWith('box') === true ? 401 : 404);
    other.answer = behind;
    expect((await sourceOf().box('acme', 'box', options)).versions).toHaveLength(1);
    expect(await failureOf(sourceOf().box('acme', 'none', options))).toMatchObject({ code: 'forbidden' });
  });

  test("isn't read by metadata if the API refuses the token", async () => {
    other.answer = (req, res) => (req.url === '/acme/box' ? json(res, metadata) : json(res, {}, 403));
    expect(await failureOf(sourceOf('token').box('acme', 'box', options))).toMatchObject({
      code: 'forbidden',
    });
    expect(other.seen).toHaveLength(1);
    expect(other.seen[0]?.headers).toMatchObject({ authorization: 'Bearer token', 'x-atlas-token': 'token' });
  });

  test("isn't read by metadata if the API fails", async () => {
    other.answer = (req, res) => (req.url === '/acme/box' ? json(res, metadata) : json(res, {}, 500));
    expect(await failureOf(sourceOf().box('acme', 'box', options))).toMatchObject({
      code: 'service-unavailable',
    });
  });

  test("isn't requested under a name that means another path", async () => {
    for (const [owner, name] of [
      ['..', 'box'],
      ['acme', '.'],
      ['a/b', 'box'],
      ['acme', ''],
    ] as const)
      expect(await failureOf(sourceOf().box(owner, name, options))).toMatchObject({
        code: 'invalid-request',
      });
    expect(other.seen).toEqual([]);
  });

  test('is read without its broken entries, which are named', async () => {
    const url = 'https://store.example/x';
    const providersOf = (...providers: unknown[]) => ({
      name: 'box',
      versions: [{ version: '1.0.0', status: 'active', providers }],
    });
    const boxOf = (body: unknown) => {
      other.answer = answeringPaths({ '/api/v2/box/acme/box': body });
      return sourceOf().box('acme', 'box', options);
    };
    const versions = await boxOf({
      name: 'box',
      versions: [
        null,
        { version: 3 },
        { version: '../1' },
        { version: '1'.repeat(101), status: 'active' },
        { version: '1.0.0', status: 'active' },
        { version: '1.0.0', status: 'revoked' },
        { version: '2.0.0', status: 'odd', providers: 'none' },
      ],
    });
    expect(versions.versions).toEqual([
      { version: '2.0.0', status: 'unreleased', description: '', images: [] },
      { version: '1.0.0', status: 'active', description: '', images: [] },
    ]);
    expect(versions.problems).toHaveLength(6);
    const { problems, versions: read } = await boxOf(
      providersOf(
        7,
        { name: '' },
        { name: 'a/b', url },
        { name: 'qemu', architecture: '..', url },
        { name: 'q'.repeat(101), url },
        { name: 'qemu', architecture: 'a'.repeat(101), url },
        { name: 'file', download_url: 'file:///etc/passwd' },
        { name: 'empty', hosted: false },
        { name: 'twice', url },
        { name: 'twice', url },
        { name: 'odd', url, checksum: 'xyz', checksum_type: 'sha256' },
        { name: 'other', url, checksum: 'b'.repeat(64), checksum_type: 'blake3' },
        { name: 'short', url, checksum: 'abcd', checksum_type: 'md5' },
        { name: 'unnamed', url, checksum: 'b'.repeat(40), size: -1 },
        { name: 'hyphen', url, checksum: 'b'.repeat(64), checksum_type: 'SHA-256' },
        { name: 'made', hosted: true, architecture: 'arm64' },
        { name: 'plain', hosted: true },
      ),
    );
    expect(
      read[0]?.images.map(({ provider: name, checksumType, url: at }) => [name, checksumType, at]),
    ).toEqual([
      ['twice', null, url],
      ['odd', null, url],
      ['other', null, url],
      ['short', null, url],
      ['unnamed', 'sha1', url],
      ['hyphen', 'sha256', url],
      ['made', null, `${other.url}/acme/boxes/box/versions/1.0.0/providers/made/arm64/vagrant.box`],
      ['plain', null, `${other.url}/acme/boxes/box/versions/1.0.0/providers/plain.box`],
    ]);
    expect(problems).toHaveLength(12);
    for (const problem of [...problems, ...versions.problems]) expect(problem).toMatch(/^[A-Z].*\.$/);
  });

  test.each([[[]], ['text'], [{ versions: [] }], [{ name: 'box', versions: {} }]])(
    'is refused if it is %j',
    async (body) => {
      other.answer = answeringPaths({ '/api/v2/box/acme/box': body });
      expect(await failureOf(sourceOf().box('acme', 'box', options))).toMatchObject({ code: 'bad-answer' });
    },
  );
});

describe('the boxes of an owner', () => {
  const box = (name: string, username = 'acme') => ({ name, username, tag: `${username}/${name}` });

  test.each(['/api/v2/user/acme', '/api/v1/user/acme'])('are read at %s', async (path) => {
    const boxes = [box('a'), { tag: 'acme/b' }, { name: 'c' }, 7, { tag: 'acme/..' }, box('a')];
    other.answer = answeringPaths({ [path]: { username: 'acme', boxes } });
    expect(await sourceOf().boxesOf('acme', options)).toEqual(['acme/a', 'acme/b', 'acme/c']);
  });

  test.each([true, false])("are searched for if owners can't be listed, in pages: %j", async (pages) => {
    other.answer = (req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', other.url);
      if (pathname !== '/api/v2/search') return void res.writeHead(404).end();
      const page = pages ? Number(searchParams.get('page')) : 1;
      json(res, { boxes: page > 3 ? [] : [box(`b${page}`), box(`x${page}`, 'else'), box('same', 'Acme')] });
    };
    const found = await sourceOf().boxesOf('acme', options);
    expect(other.seen.filter(({ url }) => url?.startsWith('/api/v2/search'))).toHaveLength(pages ? 4 : 2);
    expect(found).toEqual(pages ? ['acme/b1', 'Acme/same', 'acme/b2', 'acme/b3'] : ['acme/b1', 'Acme/same']);
  });

  describe.each(['/api/v2/user/acme', '/api/v2/search'])('listed at %s', (path) => {
    const listing = async (boxes: readonly unknown[]) => {
      other.answer = answeringPaths({ [path]: { boxes } });
      const slices = new Slices(() => false, options.slices.asker);
      const asked = vi.spyOn(slices, 'giveWay');
      const [result] = await Promise.allSettled([sourceOf().boxesOf('acme', { signal, slices })]);
      return { result, asked: asked.mock.calls.length };
    };

    test('are read one by one, in slices', async () => {
      const { result, asked } = await listing(Array.from({ length: 3_000 }, (_, at) => box(`b${at}`)));
      expect(result).toMatchObject({ status: 'fulfilled', value: { length: 3_000 } });
      expect(asked).toBeGreaterThan(3_000);
      expect((await listing(Array.from({ length: 3_000 }, () => 0))).asked).toBeGreaterThan(3_000);
    });

    test('are refused if there are more than a move takes, before any of them is read', async () => {
      const { result, asked } = await listing(Array.from({ length: 290_000 }, () => 0));
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'payload-too-large',
          message:
            'The source lists more than 10,000 boxes, which is more than a move takes. Name the ones to move.',
        },
      });
      // Only for the text.
      expect(asked).toBeLessThan(10_000);
    });
  });

  test("are refused if a search finds more than the console reads, though few are the owner's", async () => {
    other.answer = (req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', other.url);
      if (pathname !== '/api/v2/search') return void res.writeHead(404).end();
      const page = Number(searchParams.get('page'));
      json(res, {
        boxes: Array.from({ length: 6_000 }, (_, at) => box(`b${page}-${at}`, at === 0 ? 'acme' : 'else')),
      });
    };
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({ code: 'payload-too-large' });
    expect(other.seen.filter(({ url }) => url?.startsWith('/api/v2/search'))).toHaveLength(2);
  });

  test("are refused if a move can't take so many", async () => {
    const many = (count: number) => ({
      boxes: Array.from({ length: count }, (_, at) => ({ name: `b${at}` })),
    });
    other.answer = answeringPaths({ '/api/v2/user/acme': many(10_000) });
    expect(await sourceOf().boxesOf('acme', options)).toHaveLength(10_000);
    other.answer = answeringPaths({ '/api/v2/user/acme': many(10_001) });
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({ code: 'payload-too-large' });
    let count = 0;
    other.answer = (req, res) =>
      req.url?.startsWith('/api/v2/search') === true
        ? json(res, { boxes: Array.from({ length: 5000 }, () => ({ tag: `acme/b${(count += 1)}` })) })
        : void res.writeHead(404).end();
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({ code: 'payload-too-large' });
    expect(count).toBe(15_000);
  });

  test('are refused with the reason if an answer to a search is too large', async () => {
    other.answer = answeringPaths({ '/api/v2/search': { boxes: [], more: 'x'.repeat(9 * 2 ** 20) } });
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({
      code: 'payload-too-large',
      message: "The source's response has more than 8,192 KiB, which is more than the console reads.",
    });
  });

  test('are refused for an unknown owner', async () => {
    other.answer = answeringPaths({ '/api/v2/search': { boxes: [] } });
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({ code: 'not-found' });
    other.answer = answeringPaths({});
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({ code: 'not-found' });
  });

  test('are read later if the source asks to wait', async () => {
    other.answer = (_req, res) => void res.writeHead(429, { 'retry-after': '9' }).end();
    expect(await failureOf(sourceOf().boxesOf('acme', options))).toMatchObject({
      code: 'rate-limited',
      init: { retryAfterSeconds: 9 },
    });
  });
});

describe('an image', () => {
  const content = Buffer.from('0123456789');

  /** A store that supports ranges, and its headers about the content. */
  const serving =
    (
      headers: Record<string, string>,
      answer: Partial<{ ranges: boolean; start: number }> = {},
    ): RequestListener =>
    (req, res) => {
      const { range = '', 'if-range': condition } = req.headers;
      const start = Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0);
      const isSame = condition === undefined || Object.values(headers).includes(String(condition));
      if (answer.ranges === false || range === '' || !isSame)
        return void res.writeHead(200, { ...headers, 'content-length': 10 }).end(content);
      if (start >= 10) return void res.writeHead(416, { ...headers, 'content-range': 'bytes */10' }).end();
      const from = answer.start ?? start;
      const last = range.endsWith('-0') ? 0 : 9;
      res
        .writeHead(206, { ...headers, 'content-range': `bytes ${from}-${last}/10` })
        .end(content.subarray(from, last + 1));
    };

  const got = async (image: Partial<SourceImage>, offset: number, validator: string) => {
    const found = await sourceOf('token').image(imageAt(`${other.url}/x.box`, image), {
      ...options,
      offset,
      validator,
    });
    return [found.offset, (await buffer(found.body)).toString(), found.size, found.validator];
  };
  const checked = { checksum: 'a'.repeat(64), checksumType: 'sha256' } as const;
  const etag = { etag: '"one"' };
  const modified = { 'last-modified': 'Thu, 01 Jan 2026 00:00:30 GMT' };

  test('continues where it stopped while the content is the same', async () => {
    other.answer = serving(etag);
    expect(await got({}, 4, '"one"')).toEqual([4, '456789', 10, '"one"']);
    expect(other.seen[0]?.headers).toMatchObject({ range: 'bytes=4-', 'if-range': '"one"' });
    expect(await got({}, 4, '"zero"')).toEqual([0, '0123456789', 10, '"one"']);
    other.answer = serving(modified);
    expect(await got({}, 4, modified['last-modified'])).toEqual([4, '456789', 10, modified['last-modified']]);
  });

  test('starts again if the source ignores the range, or sends another part', async () => {
    other.answer = serving(etag, { ranges: false });
    expect(await got({}, 4, '"one"')).toEqual([0, '0123456789', 10, '"one"']);
    other.answer = serving(etag, { start: 2 });
    expect(await got({}, 4, '"one"')).toEqual([0, '0123456789', 10, '"one"']);
  });

  test('starts again if the source sends a part of other content', async () => {
    // The source doesn't support If-Range.
    other.answer = (req, res) => {
      delete req.headers['if-range'];
      serving(etag)(req, res);
    };
    expect(await got({}, 4, '"zero"')).toEqual([0, '0123456789', 10, '"one"']);
  });

  test('continues without a validator if a checksum will verify it', async () => {
    other.answer = serving({ etag: 'W/"weak"' });
    expect(await got(checked, 4, '')).toEqual([4, '456789', 10, '']);
    expect(other.seen[0]?.headers['if-range']).toBeUndefined();
    expect(await got({}, 4, '')).toEqual([0, '0123456789', 10, '']);
    expect(other.seen[1]?.headers['range']).toBeUndefined();
  });

  test("isn't requested if it is complete, and starts again if it is shorter now", async () => {
    other.answer = serving(etag);
    expect(await got({}, 10, '"one"')).toEqual([10, '', 10, '"one"']);
    expect(await got({}, 11, '"one"')).toEqual([0, '0123456789', 10, '"one"']);
  });

  test('is requested from a store with the range and without the token', async () => {
    store.answer = serving(etag);
    other.answer = (_req, res) => void res.writeHead(302, { location: `${store.url}/signed` }).end();
    expect(await got({}, 4, '"one"')).toEqual([4, '456789', 10, '"one"']);
    expect(other.seen[0]?.headers.authorization).toBe('Bearer token');
    expect(store.seen[0]?.headers).toMatchObject({ range: 'bytes=4-', 'if-range': '"one"' });
    expect(JSON.stringify(store.seen[0]?.rawHeaders)).not.toContain('token');
  });

  test("doesn't exist if the store refuses it", async () => {
    store.answer = (_req, res) => void res.writeHead(403).end();
    other.answer = (_req, res) => void res.writeHead(302, { location: store.url }).end();
    expect(await failureOf(got({}, 0, ''))).toMatchObject({ code: 'not-found' });
  });

  test('fails during the read if it is cut', async () => {
    other.answer = (_req, res) => {
      res.writeHead(200, { 'content-length': 10 });
      res.write('0123', () => res.destroy());
    };
    expect(await failureOf(got({}, 0, ''))).toMatchObject({ code: 'service-unavailable' });
  });

  test.each([9, 11])('fails if it has another length than declared: %i bytes', async (length) => {
    other.answer = (_req, res) => {
      res.writeHead(206, { ...etag, 'content-range': 'bytes 4-9/10' }).end(Buffer.alloc(length - 4));
    };
    expect(await failureOf(got({}, 4, '"one"'))).toMatchObject({ code: 'bad-answer' });
  });

  test('with a useless ETag is verified by its checksum, or starts again', async () => {
    other.answer = serving({ etag: `"${'x'.repeat(300)}"` });
    expect((await got({}, 0, ''))[3]).toBe('');
    other.answer = serving({ etag: '"\u00e9"' });
    expect((await got({}, 0, ''))[3]).toBe('');
  });

  test('is refused at a forbidden address', async () => {
    for (const url of ['https://10.0.0.1/x.box', 'http://elsewhere.example/x.box'])
      expect(
        await failureOf(sourceOf().image(imageAt(url), { ...options, offset: 0, validator: '' })),
      ).toMatchObject({ code: 'bad-answer' });
  });

  test('has its size from HEAD, from a part, or none', async () => {
    const size = () => sourceOf().sizeOf(imageAt(`${other.url}/x.box`), options);
    other.answer = serving(etag);
    expect(await size()).toBe(10);
    expect(other.seen.map(({ method }) => method)).toEqual(['HEAD']);
    other.answer = (req, res) =>
      req.method === 'HEAD' ? void res.writeHead(403).end() : serving(etag)(req, res);
    expect(await size()).toBe(10);
    expect(other.seen.at(-1)?.headers.range).toBe('bytes=0-0');
    other.answer = (req, res) => {
      if (req.method !== 'HEAD') res.write('0');
      res.end();
    };
    expect(await size()).toBeNull();
  });
});
