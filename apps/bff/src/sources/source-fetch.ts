/**
 * The only way to call a registry that a user named. Users choose its address, and the registry chooses where it
 * redirects to, so each address is checked, and connections go to the checked addresses of a name. Nothing is ever
 * decompressed.
 */
import type { LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Clock } from '@gatehouse/service-kit/clock';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { readJson } from '@gatehouse/service-kit/read-json';
import type { Slices } from '@gatehouse/service-kit/slices';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { MovesConfig } from '#config/config.ts';
import { checkHost, lookupPublic, type Resolve } from '#upstreams/destinations.ts';
import { answeredError, brokenError, refused, SourceError } from './source-error.ts';
import type { ListOptions, ReadOptions } from './source.ts';

/** Limits of the calls to a source. */
export interface SourceLimits {
  /** For a connection, in milliseconds. */
  readonly connectMs: number;
  /** For the head of an answer, in milliseconds. */
  readonly headersMs: number;
  /** How long a body may stall, in milliseconds. */
  readonly idleMs: number;
  /** For a whole answer of JSON, redirects included, in milliseconds. */
  readonly jsonMs: number;
  /** Most bytes of an answer of JSON that is a list or a record, … */
  readonly jsonBytes: number;
  /** … and of one that is only an address. */
  readonly shortBytes: number;
  /** In any waiting time for a body of this length, in milliseconds, … */
  readonly slowMs: number;
  /** … at least this many bytes must arrive. */
  readonly slowBytes: number;
  /** Most connections to one origin. */
  readonly connections: number;
}

const defaultLimits: SourceLimits = {
  connectMs: 10_000,
  headersMs: 60_000,
  idleMs: 60_000,
  jsonMs: 180_000,
  jsonBytes: 8 * 1024 * 1024,
  shortBytes: 64 * 1024,
  slowMs: 120_000,
  slowBytes: 128 * 1024,
  connections: 16,
};

const mostRedirects = 5;
/** Longer answers wait for their turn, in bytes. */
const largeBytes = 256 * 1024;
/** The largest box that registries keep, 8 MiB, has some 230,000 members and elements. */
const jsonBounds = { maxDepth: 32, maxMembers: 300_000, strictNames: true };
const redirects: readonly number[] = [301, 302, 303, 307, 308];

export interface SourceNetworkOptions {
  /** The moves' configuration. */
  readonly moves: MovesConfig | undefined;
  readonly clock: Clock;
  readonly limits?: Partial<SourceLimits>;
  /** Resolves names outside the configuration; by DNS unless given. */
  readonly resolve?: Resolve;
  /** Connects to origins outside the configuration; over the network unless given. */
  readonly connector?: (options: {
    readonly timeout: number;
    readonly allowH2: boolean;
    readonly lookup: LookupFunction;
  }) => buildConnector.connector;
}

/** Opens sources. */
export type SourceNetwork = ReturnType<typeof createSourceNetwork>;

export interface SourceRequest extends ReadOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the credentials aren't sent, wherever the call leads. */
  readonly anonymous?: boolean;
  /** Statuses of 400 or more that aren't errors. */
  readonly accept?: readonly number[];
}

/** A request for JSON, which is read in slices. */
export interface JsonRequest extends SourceRequest, ListOptions {
  /** Whether the answer is only an address. */
  readonly isShort?: boolean;
}

interface AnswerHead {
  readonly status: number;
  /** Names are in lower case; undefined if the header is absent or repeated. */
  readonly header: (name: string) => string | undefined;
  /** The final address. */
  readonly url: URL;
}

/** An answer whose body isn't received yet. It must be read to its end, or the request's signal aborted. */
export interface SourceAnswer extends AnswerHead {
  readonly body: AsyncIterable<Uint8Array>;
}

export interface JsonAnswer extends AnswerHead {
  /** Undefined without a body. */
  readonly json: unknown;
}

/** @throws SourceError in all functions; the signal's reason once it is aborted */
export interface SourceFetch {
  readonly address: URL;
  /** Whether an address is the source's own. */
  isOwn(url: URL): boolean;
  /** Refuses an address that must not be called, as far as the address alone shows it. */
  check(url: URL): void;
  open(url: URL, request: SourceRequest): Promise<SourceAnswer>;
  json(url: URL, request: JsonRequest): Promise<JsonAnswer>;
}

export function createSourceNetwork(options: SourceNetworkOptions) {
  const { moves, clock, resolve, connector = buildConnector } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const named = new Set(moves?.sources);
  const agentOf = (connect: buildConnector.connector): Dispatcher =>
    new Agent({
      connect,
      connections: limits.connections,
      pipelining: 1,
      allowH2: false,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.idleMs,
    }).compose(boundAnswers);
  const connecting = { timeout: limits.connectMs, allowH2: false };
  const listed = agentOf(
    buildConnector({
      ...connecting,
      ...(moves?.ca !== undefined && { ca: [...getCACertificates('default'), moves.ca] }),
    }),
  );
  const open = agentOf(connector({ ...connecting, lookup: lookupPublic(true, resolve) }));

  /** The client for an address. @throws SourceError if none may call it */
  const callerOf = (url: URL, isRedirect: boolean): Dispatcher => {
    if (url.username !== '' || url.password !== '') throw refused('user', isRedirect);
    if (named.has(url.origin)) return listed;
    if (url.protocol !== 'https:') throw refused('scheme', isRedirect);
    if (url.port !== '' && Number(url.port) < 1024) throw refused('port', isRedirect);
    try {
      checkHost(url);
    } catch (error) {
      throw brokenError(error, isRedirect);
    }
    return open;
  };

  /** Follows redirects of an address to its answer. */
  const follow = async (home: URL, first: URL, request: SourceRequest, credentials: Credentials) => {
    const { method = 'GET', headers, signal } = request;
    let url = first;
    let withToken = request.anonymous !== true && isOwn(home, url);
    for (let led = isOwn(home, url) ? 0 : 1, hops = 0; ; led++, hops++) {
      const caller = callerOf(url, led > 0);
      let answer: Dispatcher.ResponseData;
      try {
        answer = await caller.request({
          method,
          origin: url.origin,
          path: url.pathname + url.search,
          headers: {
            'user-agent': 'gatehouse',
            'accept-encoding': 'identity',
            ...headers,
            ...(withToken && credentials),
          },
          signal,
        });
      } catch (error) {
        signal.throwIfAborted();
        throw brokenError(error, led > 0);
      }
      const header = (name: string): string | undefined => {
        const value = answer.headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      const { statusCode: status, body } = answer;
      if (!redirects.includes(status)) return { status, header, url, body, withToken };
      letGo(body);
      if (hops === mostRedirects) throw refused('too many', true);
      url = nextOf(header('location'), url);
      withToken &&= isOwn(home, url);
    }
  };

  const opened = async (home: URL, first: URL, request: SourceRequest, credentials: Credentials) => {
    const found = await follow(home, first, request, credentials);
    const { status, header, url, body, withToken } = found;
    if (status >= 200 && status < 300) {
      const encoding = header('content-encoding') ?? '';
      if (encoding === '' || encoding.toLowerCase() === 'identity') return found;
      letGo(body);
      throw new SourceError('bad-answer', "The source sent a compressed response, which wasn't requested.", {
        status,
      });
    }
    letGo(body);
    if (request.accept?.includes(status) === true) return found;
    throw answeredError(
      {
        status,
        retryAfter: header('retry-after'),
        own: isOwn(home, url),
        withToken: withToken && Object.keys(credentials).length > 0,
      },
      clock.now(),
    );
  };

  /** A body whose sender may be slow, but not so slow for long that it only occupies a connection. */
  async function* watched(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    let waited = 0;
    let received = 0;
    try {
      for (;;) {
        const from = clock.monotonic();
        const { done, value } = await chunks.next();
        if (done === true) return;
        waited += clock.monotonic() - from;
        received += value.length;
        if (waited >= limits.slowMs) {
          if (received < limits.slowBytes)
            throw new SourceError('service-timeout', 'The source is sending data too slowly.');
          waited = 0;
          received = 0;
        }
        yield value;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw brokenError(error, true);
    } finally {
      await chunks.return?.();
    }
  }

  /** An answer of JSON; undefined if it has more than `most` bytes. */
  const received = async (
    home: URL,
    first: URL,
    request: JsonRequest,
    credentials: Credentials,
    most: number,
  ): Promise<JsonAnswer | undefined> => {
    const late = AbortSignal.timeout(limits.jsonMs);
    const signal = AbortSignal.any([request.signal, late]);
    try {
      const headers = { accept: 'application/json', ...request.headers };
      const found = await opened(home, first, { ...request, headers, signal }, credentials);
      const { status, header, url } = found;
      if (status >= 300) return { status, header, url, json: undefined };
      const text = await textOf(watched(found.body, signal), header('content-length'), most);
      if (text === undefined) return undefined;
      return { status, header, url, json: await jsonOf(text, status, request.slices) };
    } catch (error) {
      request.signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new SourceError('service-timeout', "The source didn't respond in time.", { cause: error });
    }
  };

  return {
    /**
     * One source.
     * @param credentials headers for its own origin only
     * @throws SourceError `invalid-request` if the console doesn't call the address, as far as the address alone shows
     *   it
     */
    at(address: URL, credentials: Readonly<Record<string, string>>): SourceFetch {
      callerOf(address, false);
      if (!Object.values(credentials).every((value) => /^[\x20-\x7e]*$/.test(value)))
        throw badToken('The token contains invalid characters. Copy it again.');
      return {
        address,
        isOwn: (url) => isOwn(address, url),
        check: (url) => void callerOf(url, true),
        async open(first, request) {
          await request.mayCall?.();
          const { status, header, url, body } = await opened(address, first, request, credentials);
          return { status, header, url, body: watched(body, request.signal) };
        },
        async json(first, request) {
          await request.mayCall?.();
          const most = request.isShort === true ? limits.shortBytes : limits.jsonBytes;
          if (request.largeTurn?.isTaken === false && most > largeBytes) {
            const small = await received(address, first, request, credentials, largeBytes);
            if (small !== undefined) return small;
            // Requested again then, because the source might cut a connection that waits.
            await request.largeTurn.take();
          }
          const whole = await received(address, first, request, credentials, most);
          if (whole === undefined) throw tooLong(most);
          return whole;
        },
      };
    },
    async close(): Promise<void> {
      await Promise.all([listed, open].map((agent) => agent.destroy()));
    },
  };
}

type Credentials = Readonly<Record<string, string>>;

function isOwn(home: URL, url: URL): boolean {
  return url.origin === home.origin;
}

/** Leaves a body unread. A short one is skipped, so that its connection can be reused. */
function letGo(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  void body.dump({ limit: 64 * 1024 }).catch(() => undefined);
}

/** @throws SourceError if a redirect has no valid location */
function nextOf(location: string | undefined, from: URL): URL {
  if (location === undefined) throw refused('nowhere', true);
  if (!URL.canParse(location, from)) throw refused('not an address', true);
  const url = new URL(location, from);
  url.hash = '';
  return url;
}

function tooLong(most: number): SourceError {
  return new SourceError(
    'payload-too-large',
    `The source's response has more than ${(most / 1024).toLocaleString('en')} KiB, which is more than the console reads.`,
    { status: 200 },
  );
}

/** A body's text; undefined if it has more than `most` bytes. */
async function textOf(
  body: AsyncIterable<Uint8Array>,
  length: string | undefined,
  most: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most || Number(length) > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function jsonOf(text: string, status: number, slices: Slices): Promise<unknown> {
  if (text === '') return undefined;
  try {
    return await readJson(text, jsonBounds, slices);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
    const { maxDepth, maxMembers } = jsonBounds;
    if (cause instanceof RangeError)
      throw new SourceError(
        'payload-too-large',
        `The source's response has more than ${maxDepth} levels or ${maxMembers.toLocaleString('en')} values, which is more than the console reads.`,
        { status, cause },
      );
    throw new SourceError(
      'bad-answer',
      "The source's response isn't the JSON of a registry. Check its address.",
      { status, cause },
    );
  }
}

function badToken(message: string): SourceError {
  return new SourceError('invalid-request', message, { fields: [{ path: 'token', message }] });
}
