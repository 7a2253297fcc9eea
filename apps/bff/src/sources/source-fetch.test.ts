import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP } from 'node:net';
import { gzipSync } from 'node:zlib';
import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { Slices } from '@gatehouse/service-kit/slices';
import * as fc from 'fast-check';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureOf, startAnswering, type AnsweringServer } from '#test/answering-server.ts';
import { SourceError } from './source-error.ts';
import {
  createSourceNetwork,
  type SourceFetch,
  type SourceNetwork,
  type SourceNetworkOptions,
} from './source-fetch.ts';

const certificate = (file: string): string =>
  readFileSync(new URL(`../../test/certificate/${file}`, import.meta.url), 'utf8');

const publicAddress = '93.184.215.14';
const names: Record<string, readonly string[]> = {
  // The certificate's name, which belongs to a registry on the internet.
  localhost: [publicAddress],
  'public.example': [publicAddress],
};

/** A source in the configuration. */
let source: AnsweringServer;
/** Another source in the configuration. */
let other: AnsweringServer;
/** Receives all connections, except those to configured origins, in place of all networks. */
let sentinel: AnsweringServer;
/** Addresses of connections. */
const dialed: string[] = [];
/** The successive addresses of a name. */
let rebound: (string | undefined)[] = [];
let resolved = 0;

const networks: SourceNetwork[] = [];

function networkWith(options: Partial<SourceNetworkOptions> = {}): SourceNetwork {
  const network = createSourceNetwork({
    moves: { sources: [source.url, other.url] },
    clock: systemClock,
    async resolve(hostname) {
      resolved++;
      const addresses = rebound.length > 0 ? [rebound.shift() ?? ''] : (names[hostname] ?? []);
      if (addresses.length === 0) throw Object.assign(new Error('no name'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    connector: ({ timeout, allowH2, lookup }) => {
      const arrive = buildConnector({
        timeout,
        allowH2,
        ca: certificate('localhost.crt'),
        lookup: (hostname, { all }, callback) =>
          lookup(hostname, { all: true }, (error, found) => {
            if (error !== null) return callback(error, '', 0);
            if (typeof found !== 'string') dialed.push(...found.map(({ address }) => address));
            return all === true
              ? callback(null, [{ address: '127.0.0.1', family: 4 }])
              : callback(null, '127.0.0.1', 4);
          }),
      });
      return (to, callback) => {
        const isAddress = isIP(to.hostname) !== 0;
        if (isAddress) dialed.push(to.hostname);
        arrive(
          { ...to, port: String(sentinel.port), hostname: isAddress ? '127.0.0.1' : to.hostname },
          callback,
        );
      };
    },
    ...options,
  });
  networks.push(network);
  return network;
}

let network: SourceNetwork;
let fetch: SourceFetch;
const signal = new AbortController().signal;
const slices = new Slices(() => false, { name: 'ada', isKnown: true });

beforeAll(async () => {
  source = await startAnswering();
  other = await startAnswering();
  sentinel = await startAnswering(
    createTlsServer({ cert: certificate('localhost.crt'), key: certificate('localhost.key') }),
  );
  network = networkWith();
  fetch = network.at(new URL(source.url), { authorization: 'Bearer canary', 'x-atlas-token': 'canary' });
});

beforeEach(() => {
  for (const server of [source, other, sentinel]) server.reset();
  dialed.length = 0;
  rebound = [];
  resolved = 0;
});

afterAll(async () => {
  await Promise.all(networks.map((one) => one.close()));
  for (const server of [source, other, sentinel]) await server[Symbol.asyncDispose]();
});

const redirectTo = (location: string) => (_req: IncomingMessage, res: ServerResponse) =>
  void res.writeHead(302, { location }).end();

/** The error of a call. */
async function failure(call: Parameters<typeof failureOf>[0]): Promise<SourceError> {
  const error = await failureOf(call);
  if (error instanceof SourceError) return error;
  throw error;
}

const read = (url: string, by = fetch) => by.json(new URL(url), { signal, slices });
const headersOf = ({ seen }: AnsweringServer) =>
  seen.map(({ headers }) => [headers.authorization, headers['x-atlas-token']]);

/** Nothing outside the configured origins was called. */
function nothingCalled(): void {
  expect({ dialed, connections: sentinel.connections, seen: sentinel.seen.length }).toEqual({
    dialed: [],
    connections: 0,
    seen: 0,
  });
}

test('reads a source over https at a public address, under its own name', async () => {
  const open = network.at(new URL('https://localhost'), { authorization: 'Bearer t' });
  expect((await read('https://localhost/x?y=1', open)).json).toEqual({ fine: true });
  expect(dialed).toEqual([publicAddress]);
  expect(sentinel.seen[0]?.url).toBe('/x?y=1');
  expect(sentinel.seen[0]?.headers).toMatchObject({ host: 'localhost', authorization: 'Bearer t' });
});

test("requires the certificate of the source's name", async () => {
  const open = network.at(new URL('https://public.example'), {});
  expect(await failure(read('https://public.example/', open))).toMatchObject({
    code: 'service-unavailable',
    message: expect.stringContaining('certificate'),
  });
  expect(sentinel.seen).toEqual([]);
});

test('verifies a configured source with the configured authority', async () => {
  const origin = `https://127.0.0.1:${sentinel.port}`;
  const by = (ca?: string): SourceFetch =>
    networkWith({ moves: { sources: [origin], ...(ca !== undefined && { ca }) } }).at(new URL(origin), {});
  expect((await read(origin, by(certificate('localhost.crt')))).json).toEqual({ fine: true });
  expect(await failure(read(origin, by()))).toMatchObject({
    code: 'service-unavailable',
    message: expect.stringContaining('moves.ca'),
  });
});

/** Addresses that nobody may be led to. `PORT` is one where a server listens. */
const refusedAddresses = [
  ['loopback over http', 'http://127.0.0.1:PORT/'],
  ['loopback', 'https://127.0.0.1:PORT/'],
  ['loopback elsewhere in its network', 'https://127.8.9.1:PORT/'],
  ['loopback of IPv6', 'https://[::1]:PORT/'],
  ['loopback, short', 'https://127.1:PORT/'],
  ['loopback, hexadecimal', 'https://0x7f.1:PORT/'],
  ['loopback, octal', 'https://017700000001:PORT/'],
  ['loopback, decimal', 'https://2130706433:PORT/'],
  ['loopback, in other digits', 'https://①②⑦.⓪.⓪.①:PORT/'],
  ['loopback, with other dots', 'https://127。0。0。1:PORT/'],
  ['loopback, with escapes', 'https://%31%32%37.0.0.1:PORT/'],
  ['loopback, with backslashes', 'https:\\\\127.0.0.1:PORT\\'],
  ['loopback, mapped', 'https://[::ffff:127.0.0.1]:PORT/'],
  ['loopback, compatible', 'https://[::127.0.0.1]:PORT/'],
  ['loopback, NAT64', 'https://[64:ff9b::7f00:1]:PORT/'],
  ['loopback, local NAT64', 'https://[64:ff9b:1::7f00:1]:PORT/'],
  ['loopback, 6to4', 'https://[2002:7f00:1::1]:PORT/'],
  ['loopback, Teredo', 'https://[2001:0:1234::8bff:fffe]:PORT/'],
  ['this machine', 'https://0.0.0.0:PORT/'],
  ['this machine, short', 'https://0:PORT/'],
  ['this machine of IPv6', 'https://[::]:PORT/'],
  ['this network', 'https://0.1.2.3/'],
  ['private 10/8', 'https://10.0.0.1/'],
  ['private 172.16/12', 'https://172.31.255.255/'],
  ['private 192.168/16', 'https://192.168.1.1/'],
  ['private of IPv6', 'https://[fd12:3456::1]/'],
  ['shared by carriers', 'https://100.64.0.1/'],
  ['link-local', 'https://169.254.1.1/'],
  ['link-local of IPv6', 'https://[fe80::1]/'],
  ['link-local with a zone', 'https://[fe80::1%25lo]/'],
  ['cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['cloud metadata over http', 'http://169.254.169.254/latest/meta-data/'],
  ['cloud metadata, decimal', 'https://2852039166/'],
  ['cloud metadata, mapped', 'https://[::ffff:a9fe:a9fe]/'],
  ['cloud metadata of IPv6', 'https://[fd00:ec2::254]/'],
  ['cloud metadata, shared by carriers', 'https://100.100.100.200/'],
  ['cloud metadata, of the protocol network', 'https://192.0.0.192/'],
  ['cloud metadata at a public address', 'https://168.63.129.16/'],
  ['documentation', 'https://192.0.2.1/'],
  ['documentation of IPv6', 'https://[2001:db8::1]/'],
  ['benchmarks', 'https://198.18.0.1/'],
  ['multicast', 'https://224.0.0.1/'],
  ['multicast of IPv6', 'https://[ff02::1]/'],
  ['reserved', 'https://240.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['http', 'http://public.example/'],
  ['files', 'file:///etc/passwd'],
  ['another scheme', 'gopher://public.example/'],
  ['a user in it', 'https://me@public.example/'],
  ['a password in it', 'https://me:canary@public.example/'],
  ['a named origin with a user', 'http://me@127.0.0.1:SOURCE/'],
  ['port 22', 'https://public.example:22/'],
  ['port 25', 'https://public.example:25/'],
  ['port 80', 'https://public.example:80/'],
  ['port 0', 'https://public.example:0/'],
  ['a named host at another port', 'http://127.0.0.1:PORT/'],
  ['a named origin over https', 'https://127.0.0.1:SOURCE/'],
] as const;

const written = (address: string): string =>
  address.replace('PORT', String(sentinel.port)).replace('SOURCE', String(source.port));

describe('never calls', () => {
  test.each(refusedAddresses)('%s: %s, entered by a user', async (_what, address) => {
    const text = written(address);
    // The contract of moves refuses texts that aren't URLs.
    if (URL.canParse(text)) {
      const error = await failure(() => network.at(new URL(text), {}));
      expect(error).toMatchObject({ code: 'invalid-request' });
      expect(error.message).not.toContain('canary');
    } else expect(text).toContain('%25');
    nothingCalled();
  });

  test.each(refusedAddresses)('%s: %s, as the target of a redirect', async (_what, address) => {
    source.answer = redirectTo(encodeHeader(written(address)));
    const error = await failure(read(source.url));
    expect(error).toMatchObject({ code: 'bad-answer' });
    expect(error.message).not.toContain('canary');
    expect(source.seen.length).toBe(1);
    nothingCalled();
  });

  test.each(refusedAddresses)('%s: %s, when an answer of a source names it', async (_what, address) => {
    const text = written(address);
    if (URL.canParse(text))
      expect((await failure(read(text))).code).toMatch(/^(?:bad-answer|invalid-request)$/);
    else expect(text).toContain('%25');
    nothingCalled();
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['cloud metadata', ['169.254.169.254']],
    ['a private network', ['10.0.0.1']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['a public and a private address', [publicAddress, '10.0.0.1']],
    ['a private and a public address', ['192.168.0.1', publicAddress]],
    ['a public address and loopback of IPv6', [publicAddress, '::1']],
    ['two public addresses and a metadata service', [publicAddress, '8.8.8.8', '169.254.169.254']],
    ['a public address and one with a zone', [publicAddress, '2606:4700::1%lo']],
    ['an address with a zone', ['fe80::1%lo']],
  ])('a name that leads to %s', async (_what, addresses) => {
    const leading = networkWith({
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });
    const open = leading.at(new URL('https://localhost'), { authorization: 'Bearer canary' });
    expect(await failure(read('https://localhost/', open))).toMatchObject({ code: 'invalid-request' });
    source.answer = redirectTo('https://localhost/');
    const led = leading.at(new URL(source.url), {});
    expect(await failure(read(source.url, led))).toMatchObject({ code: 'bad-answer' });
    nothingCalled();
  });

  test('a private address, whatever parts the address in a redirect has', async () => {
    const oneOf = (words: string) => fc.constantFrom('', ...words.split(' '));
    const location = fc
      .tuple(
        oneOf('https: http: HTTPS: file: https:https:'),
        oneOf('// / //// \\\\ /\\ //\t'),
        oneOf('me@ me:pass@ inner.example@ inner.example:443@ @'),
        oneOf(
          '127.0.0.1 127.1 0x7f000001 017700000001 2130706433 0 localhost. LOCALHOST. rebind.example rebind。example ' +
            '[::1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [::1%25lo] 169.254.169.254 %31%32%37.0.0.1 127.0.0.1%00',
        ),
        oneOf('. %2e #@inner.example ?@inner.example'),
        oneOf(':PORT :443 :'),
        oneOf('/ /x ?x #x \\x @inner.example /..//inner.example'),
      )
      .map((parts) => parts.join(''));
    for (const name of ['rebind.example', 'inner.example', 'localhost.']) names[name] = ['127.0.0.1'];
    await fc.assert(
      fc.asyncProperty(location, async (text) => {
        const to = encodeHeader(text.replaceAll('PORT', String(sentinel.port)));
        source.answer = (req, res) => (req.url === '/begin' ? redirectTo(to)(req, res) : void res.end('{}'));
        await read(`${source.url}/begin`).catch((error: unknown) =>
          expect(error).toBeInstanceOf(SourceError),
        );
        nothingCalled();
      }),
      { numRuns: 250 },
    );
  });

  test('a name of this machine', async () => {
    const own = createSourceNetwork({ moves: undefined, clock: systemClock });
    networks.push(own);
    const url = `https://localhost:${sentinel.port}/`;
    expect(await failure(read(url, own.at(new URL(url), {})))).toMatchObject({ code: 'invalid-request' });
    nothingCalled();
  });

  test('a proxy that an environment variable names', async () => {
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${sentinel.port}`);
    try {
      expect((await read(source.url, networkWith().at(new URL(source.url), {}))).json).toEqual({
        fine: true,
      });
    } finally {
      vi.unstubAllEnvs();
    }
    nothingCalled();
  });
});

test('resolves a name once per connection, and checks later answers again', async () => {
  rebound = [publicAddress, '127.0.0.1', '127.0.0.1'];
  const open = network.at(new URL('https://localhost:8443'), {});
  sentinel.answer = (_req, res) => void res.setHeader('connection', 'close').end('{}');
  await read('https://localhost:8443/', open);
  expect({ resolved, dialed: [...dialed] }).toEqual({ resolved: 1, dialed: [publicAddress] });
  expect(await failure(read('https://localhost:8443/', open))).toMatchObject({ code: 'invalid-request' });
  expect(dialed).toEqual([publicAddress]);
  expect(sentinel.seen.length).toBe(1);
});

test('a name without an address', async () => {
  const open = network.at(new URL('https://nowhere.example'), {});
  expect(await failure(read('https://nowhere.example/', open))).toMatchObject({
    code: 'service-unavailable',
    message: "The source can't be reached. Check its address.",
  });
});

describe('redirects', () => {
  const chain =
    (length: number): RequestListener =>
    (req, res) => {
      const at = Number(req.url?.slice(1));
      if (at < length) res.writeHead(307, { location: `/${at + 1}` }).end();
      else res.end('{"at":true}');
    };

  test('are followed five times, with the token on the same origin, and not a sixth time', async () => {
    source.answer = chain(5);
    expect((await read(`${source.url}/0`)).json).toEqual({ at: true });
    expect(headersOf(source)).toEqual(Array.from({ length: 6 }, () => ['Bearer canary', 'canary']));
    source.answer = chain(6);
    source.seen.length = 0;
    expect(await failure(read(`${source.url}/0`))).toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('five'),
    });
    expect(source.seen.length).toBe(6);
  });

  test("don't take the token to another origin, or back from there", async () => {
    source.answer = (req, res) =>
      void (req.url === '/' ? res.writeHead(301, { location: `${other.url}/on` }).end() : res.end('{}'));
    other.answer = redirectTo(`${source.url}/back`);
    await read(`${source.url}/`);
    expect(headersOf(source)).toEqual([
      ['Bearer canary', 'canary'],
      [undefined, undefined],
    ]);
    expect(headersOf(other)).toEqual([[undefined, undefined]]);
    expect(source.seen[1]?.url).toBe('/back');
  });

  test("don't take the token to another origin that the source names, or from there to the source", async () => {
    other.answer = redirectTo(`${source.url}/x`);
    await read(`${other.url}/`);
    expect([...headersOf(other), ...headersOf(source)]).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("don't take the token where it isn't needed", async () => {
    await fetch.json(new URL(source.url), { signal, slices, anonymous: true });
    expect(headersOf(source)).toEqual([[undefined, undefined]]);
  });

  test("don't take the token to a public address", async () => {
    source.answer = redirectTo('https://localhost/store');
    expect((await read(source.url)).json).toEqual({ fine: true });
    expect(headersOf(sentinel)).toEqual([[undefined, undefined]]);
  });

  test("don't send a token that isn't valid in a header", async () => {
    expect(
      await failure(() => network.at(new URL(source.url), { authorization: 'Bearer a\r\nx: y' })),
    ).toMatchObject({ code: 'invalid-request' });
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['not an address', 'https://['],
  ])('a redirect with %s as its place', async (_what, location) => {
    source.answer = (_req, res) => void res.writeHead(302, location === undefined ? {} : { location }).end();
    const error = await failure(read(source.url));
    expect(error.code).toBe('bad-answer');
    nothingCalled();
  });
});

describe('answers', () => {
  const answering = (status: number, headers: Record<string, string> = {}) => {
    source.answer = (_req, res) => void res.writeHead(status, headers).end('canary');
  };

  test.each([
    [429, { 'retry-after': '17' }, 'rate-limited', 17],
    [429, {}, 'rate-limited', 5],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 'rate-limited', 30],
    [429, { 'retry-after': '86400' }, 'rate-limited', 300],
    [503, { 'retry-after': '3' }, 'rate-limited', 3],
    [503, {}, 'service-unavailable', undefined],
    [500, {}, 'service-unavailable', undefined],
    [401, {}, 'forbidden', undefined],
    [403, {}, 'forbidden', undefined],
    [404, {}, 'not-found', undefined],
    [410, {}, 'not-found', undefined],
    [400, {}, 'bad-answer', undefined],
    [304, {}, 'bad-answer', undefined],
  ])('%i %j is %s', async (status, headers, code, retryAfterSeconds) => {
    answering(status, headers);
    const clock = testClock();
    const error = await failure(read(source.url, networkWith({ clock }).at(new URL(source.url), {})));
    expect(error).toMatchObject({ code, sourceStatus: status });
    expect(error.init.retryAfterSeconds).toBe(retryAfterSeconds);
    expect(error.message).not.toContain('canary');
  });

  const jsonOf = (text: string) => {
    source.answer = (_req, res) => void res.end(text);
  };

  test.each([
    ['HTML', '<html>canary</html>'],
    ['cut JSON', '{"a":'],
    ['JSON with a name twice', '{"a":1,"a":2}'],
    ['JSON that is too deep', `${'['.repeat(33)}${']'.repeat(33)}`, 'payload-too-large'],
    ['JSON with too many values', `["canary"${',0'.repeat(300_000)}]`, 'payload-too-large'],
  ])('%s', async (_what, text, code = 'bad-answer') => {
    jsonOf(text);
    const error = await failure(read(source.url));
    expect(error).toMatchObject({ code, sourceStatus: 200 });
    expect(error.message).not.toContain('canary');
  });

  const narrow = { jsonBytes: 1000, shortBytes: 100 };
  test('JSON of the greatest size, and one byte more, with and without an announced length', async () => {
    const limited = networkWith({ limits: narrow }).at(new URL(source.url), {});
    for (const [isShort, most] of [[false, 1000] as const, [true, 100] as const]) {
      const text = JSON.stringify('x'.repeat(most - 2));
      const answer = () => limited.json(new URL(source.url), { signal, slices, isShort });
      jsonOf(text);
      expect((await answer()).json).toBe('x'.repeat(most - 2));
      jsonOf(`${text} `);
      expect(await failure(answer())).toMatchObject({ code: 'payload-too-large' });
      source.answer = (_req, res) => {
        res.write(text);
        res.end(' ');
      };
      expect(await failure(answer())).toMatchObject({ code: 'payload-too-large' });
    }
  });

  test('of more than 256 KiB are requested again in their turn, which a shorter one takes none of', async () => {
    let taken = 0;
    const turn = {
      get isTaken() {
        return taken > 0;
      },
      take: () => Promise.resolve(void (taken += 1)),
    };
    const readInTurn = () => fetch.json(new URL(source.url), { signal, slices, largeTurn: turn });
    jsonOf(JSON.stringify('x'.repeat(256 * 1024 - 2)));
    await readInTurn();
    expect([taken, source.seen.length]).toEqual([0, 1]);
    const long = 'x'.repeat(256 * 1024 - 1);
    jsonOf(JSON.stringify(long));
    expect((await readInTurn()).json).toBe(long);
    expect([taken, source.seen.length]).toEqual([1, 3]);
    await readInTurn();
    expect([taken, source.seen.length]).toEqual([1, 4]);
  });

  test('are read in slices', async () => {
    const counted = new Slices(() => false, slices.asker);
    const asked = vi.spyOn(counted, 'giveWay');
    jsonOf(JSON.stringify(Array.from({ length: 32_000 }, () => ({}))));
    await fetch.json(new URL(source.url), { signal, slices: counted });
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(1_000);
  });

  test('are never decompressed', async () => {
    const bomb = gzipSync(JSON.stringify('x'.repeat(1_000_000)));
    source.answer = (_req, res) =>
      void res.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    expect(await failure(read(source.url))).toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('compressed'),
    });
    expect(source.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('header fields without an end', async () => {
    source.answer = (_req, res) => void res.writeHead(200, { long: 'x'.repeat(64 * 1024) }).end('{}');
    expect(await failure(read(source.url))).toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('more headers'),
    });
  });

  test('a source that does not answer, or drips its head', async () => {
    const hasty = networkWith({ limits: { headersMs: 300 } }).at(new URL(source.url), {});
    source.answer = () => undefined;
    expect(await failure(read(source.url, hasty))).toMatchObject({ code: 'service-timeout' });
    source.answer = (_req, res) => {
      const { socket } = res;
      socket?.write('HTTP/1.1 200 OK\r\nx: ');
      const drip = setInterval(() => socket?.write('x'), 20);
      socket?.on('close', () => clearInterval(drip));
    };
    expect(await failure(read(source.url, hasty))).toMatchObject({ code: 'service-timeout' });
  });

  test('a body that stalls', async () => {
    const hasty = networkWith({ limits: { idleMs: 300 } }).at(new URL(source.url), {});
    source.answer = (_req, res) => void res.write('{');
    expect(await failure(read(source.url, hasty))).toMatchObject({ code: 'service-timeout' });
  });

  test('JSON that takes too long as a whole, though it moves', async () => {
    const hasty = networkWith({ limits: { jsonMs: 300 } }).at(new URL(source.url), {});
    source.answer = (_req, res) => {
      const drip = setInterval(() => res.write(' '), 20);
      res.on('close', () => clearInterval(drip));
    };
    expect(await failure(read(source.url, hasty))).toMatchObject({ code: 'service-timeout' });
  });

  test("of a trickling file are cut, and of a paused reader aren't", async () => {
    const clock = testClock();
    const slow = networkWith({ clock, limits: { slowMs: 1000, slowBytes: 100 } }).at(new URL(source.url), {});
    let wait = true;
    let response: ServerResponse | undefined;
    source.answer = (_req, res) => {
      response = res;
      res.write('x');
    };
    const receive = async (): Promise<number> => {
      let size = 0;
      const { body } = await slow.open(new URL(source.url), { signal });
      for await (const chunk of body) {
        size += chunk.length;
        if (size >= 20) {
          response?.end();
          continue;
        }
        // Time passes while the console waits for the source, or while the console itself is slow.
        if (wait) setImmediate(() => clock.advance(100));
        else clock.advance(100);
        setImmediate(() => setImmediate(() => response?.write('x')));
      }
      return size;
    };
    expect(await failure(receive())).toMatchObject({
      code: 'service-timeout',
      message: 'The source is sending data too slowly.',
    });
    wait = false;
    expect(await receive()).toBe(20);
  });

  test('a connection that is cut', async () => {
    source.answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('{"a":1');
      setImmediate(() => res.destroy());
    };
    expect(await failure(read(source.url))).toMatchObject({ code: 'service-unavailable' });
  });

  test('fail with the reason of a caller that gives up', async () => {
    const gone = new AbortController();
    source.answer = () => gone.abort(new Error('enough'));
    await expect(fetch.json(new URL(source.url), { signal: gone.signal, slices })).rejects.toThrow('enough');
    await expect(fetch.open(new URL(source.url), { signal: gone.signal })).rejects.toThrow('enough');
  });
});

/** Headers carry bytes, as servers write characters outside ASCII. */
function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
