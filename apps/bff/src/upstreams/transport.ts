/**
 * Requests to one service, with everything that every client needs: keep-alive, deadlines, a cap, no redirects, no
 * decompression, and errors that say whether the service may have done what it was asked.
 */
import type { Readable } from 'node:stream';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { largeTurns } from '@gatehouse/service-kit/body-turns';
import type { Clock } from '@gatehouse/service-kit/clock';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { hasMoreMembers, isDeeper } from '@gatehouse/service-kit/json-scan';
import { parseJson } from '@gatehouse/service-kit/parse-json';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { Slices } from '@gatehouse/service-kit/slices';
import { turns, type InTurn } from '@gatehouse/service-kit/turns';
import { Pool, errors } from 'undici';
import * as z from 'zod/mini';
import type { ServiceConfig } from '#config/config.ts';
import type { Asker, Guard } from '#ground/call.ts';
import { rateLimited, ServiceError } from './service-error.ts';

/** Limits of one service's calls. */
export interface TransportLimits {
  /** For a connection, in milliseconds. */
  readonly connectMs: number;
  /** For a whole call, from sending to the last byte, in milliseconds. */
  readonly callMs: number;
  /** Bytes of an answer. */
  readonly answerBytes: number;
  /** Connections kept at once. */
  readonly connections: number;
}

export const defaultLimits: TransportLimits = {
  connectMs: 3_000,
  callMs: 15_000,
  answerBytes: 16 * 1024 * 1024,
  connections: 64,
};

/** One request. The path is built with `buildPath`; the token is sent as the service wants it. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Header fields beside those that every request carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON text, sent as it is instead of `body`: for values that no number of JavaScript holds exactly. */
  readonly text?: string;
  /** A file, sent as it is instead of `body`. */
  readonly bytes?: Uint8Array;
  /** The form of the body, where it is another than `application/json`. */
  readonly contentType?: string;
  /** Whose call it is part of: so that logs of both can be read together, and the service limits people and not the console. */
  readonly asker?: Asker;
  /** Who takes turns with others where all connections are in use; the asker's address unless given. */
  readonly personId?: string;
  /** It writes nothing, though it is no GET. */
  readonly reads?: true;
  /** Of the call in whose name it is sent: before that is let through nothing is written. */
  readonly guard?: Guard | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Another deadline than the usual one, in milliseconds. */
  readonly deadlineMs?: number;
  /** It does something, though it is a GET: it is never sent twice. */
  readonly once?: true;
  /** It asks only whether the service is there: it goes over connections of its own, and waits for nobody's reads. */
  readonly probes?: true;
}

/** An answer below 300, or of an error that the client reads. */
export interface ServiceAnswer {
  readonly status: number;
  /** The parsed JSON body; undefined when there was none. */
  readonly body: unknown;
  /** The text of the body as it came: for values that no number of JavaScript holds exactly. */
  readonly text: string;
  /** Its header fields, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The connection pool of one service of one environment. */
export interface Transport {
  readonly environment: string;
  readonly service: ServiceName;
  /** Its connections: the same for everyone who asks, so that what is known of the service can be kept by it. */
  readonly pool: object;
  /** The prefix of the service's paths: the path of its configured address, without a slash at the end. */
  readonly prefix: string;
  /**
   * Sends a request and reads its JSON answer. Statuses 200–299 and 400–599 with JSON bodies are answers.
   * A GET whose connection broke before an answer is sent once more, unless it does something.
   * @throws ServiceError `service-unavailable`, `service-timeout`, `bad-answer`, `rate-limited`
   */
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /** Reads an answer's body by its wire schema. @throws ServiceError `bad-answer` when it is of another form */
  parse<Schema extends z.ZodMiniType>(schema: Schema, answer: ServiceAnswer): z.output<Schema>;
  close(): Promise<void>;
}

/** Connections for probes. */
const probeConnections = 2;
/** How long a probe may take, in milliseconds. */
const probeMs = 3_000;
/** Bytes of an answer to a probe. */
const probeBytes = 256 * 1024;

export interface TransportOptions {
  readonly environment: string;
  readonly service: ServiceName;
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly limits?: Partial<TransportLimits>;
}

/**
 * A service's client as one person's call uses it.
 * @param personId unknown before somebody has signed in
 */
export function askedBy<Client extends { readonly transport: Transport }>(
  asker: Asker,
  client: Client,
  personId?: string,
): Client {
  const { transport } = client;
  return {
    ...client,
    transport: {
      ...transport,
      send: (request) => transport.send({ ...request, asker, ...(personId !== undefined && { personId }) }),
    },
  };
}

/** A service's client as a probe uses it. */
export function probing<Client extends { readonly transport: Transport }>(client: Client): Client {
  const { transport } = client;
  return {
    ...client,
    transport: {
      ...transport,
      send: (request) => transport.send({ ...request, probes: true, deadlineMs: probeMs }),
    },
  };
}

export function createTransport(options: TransportOptions): Transport {
  const { environment, service, config, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { endpoint } = config;
  const origin = endpoint.kind === 'url' ? endpoint.url.origin : 'http://localhost';
  const settings: Pool.Options = {
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: limits.callMs,
    bodyTimeout: limits.callMs,
    maxResponseSize: limits.answerBytes,
    connect: {
      timeout: limits.connectMs,
      ...(endpoint.kind === 'socket' && { socketPath: endpoint.path }),
      ...(config.ca !== undefined && { ca: config.ca }),
    },
  };
  const pool = new Pool(origin, { ...settings, connections: limits.connections }).compose(boundAnswers);
  const probes = new Pool(origin, {
    ...settings,
    connections: probeConnections,
    maxResponseSize: Math.min(limits.answerBytes, probeBytes),
  }).compose(boundAnswers);
  // The pool's own line would be one line of everyone: whoever sends hundreds of requests would hold up all others.
  // Nobody has all connections: what one person reads may hold each of them for seconds.
  const inTurn = turns({
    atOnce: limits.connections,
    ownAtOnce: Math.ceil(limits.connections / 2),
    mostOwn: Infinity,
    mostWaiting: Infinity,
  });
  // Of one service: a slow one holds up no answer of another.
  const largeInTurn = largeTurns({ mostOwn: Infinity, mostWaiting: Infinity });
  const about = { service, environment };
  const fail = (
    code: 'service-unavailable' | 'service-timeout' | 'bad-answer',
    detail: string,
    delivery: 'not-sent' | 'answered' | 'unknown',
    extra: { readonly cause?: unknown; readonly status?: number } = {},
  ): ServiceError =>
    new ServiceError(
      code,
      detail,
      { ...about, cause: extra.cause },
      { delivery, ...(extra.status !== undefined && { status: extra.status }) },
    );

  const exchange = async (request: ServiceRequest, signal: AbortSignal): Promise<ServiceAnswer> => {
    const { asker } = request;
    const content =
      request.bytes ?? request.text ?? (request.body === undefined ? null : JSON.stringify(request.body));
    const { statusCode, headers, body } = await (request.probes === true ? probes : pool).request({
      method: request.method,
      path: request.path,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'gatehouse',
        ...(asker !== undefined && { 'x-request-id': asker.requestId }),
        // Set here and never passed on: nobody chooses the address that a service counts for them.
        ...(asker !== undefined && asker.address !== '' && { 'x-forwarded-for': asker.address }),
        ...request.headers,
        ...(content !== null && { 'content-type': request.contentType ?? 'application/json' }),
      },
      body: content,
      signal,
      ...(request.deadlineMs !== undefined && {
        headersTimeout: request.deadlineMs,
        bodyTimeout: request.deadlineMs,
      }),
    });
    const encoding = headers['content-encoding'];
    if ((statusCode >= 300 && statusCode < 400) || (encoding !== undefined && encoding !== 'identity')) {
      // Destroying an unread body raises an error on it, which nobody else would catch.
      body.on('error', () => undefined).destroy();
      throw fail(
        'bad-answer',
        encoding === undefined
          ? "The service responded with a redirect, which the console doesn't follow."
          : "The service sent a compressed response, which wasn't requested.",
        'unknown',
        { status: statusCode },
      );
    }
    const length = Number(headers['content-length']);
    if (length > limits.answerBytes) {
      body.on('error', () => undefined).destroy();
      throw fail('bad-answer', tooLong, 'unknown', { status: statusCode });
    }
    const { text, read } = await readAnswer(body, {
      largeInTurn,
      owner: ownerOf(request),
      isPerson: request.personId !== undefined,
      isSmall: length < largeBytes,
      signal,
      parse: (whole) => {
        if (statusCode === 429) throw rateLimited(about, headers['retry-after'], clock.now());
        return readJson(whole, headers['content-type'], statusCode, fail);
      },
    });
    return { status: statusCode, body: read, text, headers };
  };

  const once = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const controller = new AbortController();
    let late = false;
    let hadTurn = false;
    const deadline = setTimeout(() => {
      late = true;
      controller.abort();
    }, request.deadlineMs ?? limits.callMs);
    const gone = (): void => controller.abort();
    request.signal?.addEventListener('abort', gone, { once: true });
    const work = (): Promise<ServiceAnswer> => {
      hadTurn = true;
      return exchange(request, controller.signal);
    };
    try {
      if (request.signal?.aborted === true)
        throw fail('service-unavailable', 'The request was cancelled.', 'not-sent');
      if (request.probes === true) return await work();
      return await inTurn(ownerOf(request), work, controller.signal);
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      if (hadTurn) throw networkError(cause, late, fail);
      throw late
        ? fail('service-timeout', 'No connection to the service became free in time.', 'not-sent', { cause })
        : fail('service-unavailable', 'The request was cancelled.', 'not-sent', { cause });
    } finally {
      clearTimeout(deadline);
      request.signal?.removeEventListener('abort', gone);
    }
  };

  return {
    environment,
    service,
    pool,
    prefix: endpoint.kind === 'url' ? endpoint.url.pathname.replace(/\/+$/, '') : '',
    async send(request) {
      const writes = request.method !== 'GET' && request.reads !== true;
      if (writes && request.guard?.isPassed === false) {
        throw new TypeError('an operation writes before it has passed the guard of its call');
      }
      try {
        return await once(request);
      } catch (error) {
        const broken =
          error instanceof ServiceError &&
          error.code === 'service-unavailable' &&
          error.delivery === 'unknown';
        const mayRepeat = request.method === 'GET' && request.once !== true;
        if (!mayRepeat || !broken || request.signal?.aborted === true) throw error;
        return once(request);
      }
    },
    parse(schema, answer) {
      const result = z.safeParse(schema, answer.body);
      if (result.success) return result.data;
      throw fail('bad-answer', "The service's response isn't in the expected format.", 'unknown', {
        cause: new TypeError(
          result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).join(', '),
        ),
        status: answer.status,
      });
    },
    async close() {
      await Promise.all([pool.destroy(), probes.destroy()]);
    },
  };
}

/** Who takes turns with others for what they ask. */
function ownerOf({ personId, asker }: ServiceRequest): string {
  return personId ?? asker?.address ?? '';
}

/** How an answer is read. */
interface Reading {
  readonly largeInTurn: InTurn;
  /** For whom. */
  readonly owner: string;
  readonly isPerson: boolean;
  /** Whether it said that it is. */
  readonly isSmall: boolean;
  readonly signal: AbortSignal;
  readonly parse: (text: string) => unknown;
}

/** From so many bytes on an answer is large. */
const largeBytes = 256 * 1024;

/**
 * Reads and parses an answer. Large ones are received a few at a time, two for an owner and eight for all, and one is
 * parsed in a turn of the event loop; what is made of it has another turn.
 */
async function readAnswer(
  body: Readable & { text(): Promise<string> },
  { largeInTurn, owner, isPerson, isSmall, signal, parse }: Reading,
): Promise<{ readonly text: string; readonly read: unknown }> {
  if (isSmall) {
    const text = await body.text();
    return { text, read: parse(text) };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  /** @returns whether that was all */
  const receive = async (bytes: number): Promise<boolean> => {
    while (size < bytes) {
      const next = await iterator.next();
      if (next.done === true) return true;
      chunks.push(next.value);
      size += next.value.length;
    }
    return false;
  };
  const parsed = () => {
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    return { text, read: parse(text) };
  };
  if (await receive(largeBytes)) return parsed();
  return largeInTurn(
    owner,
    async () => {
      await receive(Infinity);
      const slices = new Slices(() => signal.aborted, { name: owner, isKnown: isPerson });
      await slices.giveWay();
      const found = parsed();
      await slices.giveWay();
      return found;
    },
    signal,
  );
}

const tooLong =
  "The service's response is larger than the console accepts, or comes in too many pieces or after too many interim responses.";

/** How deep an answer may be nested: what people store is a few levels deep. */
const answerDepth = 500;
/** Objects, arrays, and members and elements after the first of an answer: to read so many takes some 0.1 s, and several times that to use them. */
const answerMembers = 500_000;

type Fail = (
  code: 'service-unavailable' | 'service-timeout' | 'bad-answer',
  detail: string,
  delivery: 'not-sent' | 'answered' | 'unknown',
  extra?: { readonly cause?: unknown; readonly status?: number },
) => ServiceError;

function readJson(
  text: string,
  contentType: string | string[] | undefined,
  status: number,
  fail: Fail,
): unknown {
  if (text === '') return undefined;
  const type = typeof contentType === 'string' ? contentType : '';
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw fail('bad-answer', `The service sent a response without JSON (status ${status}).`, 'unknown', {
      status,
    });
  }
  // Each level costs memory of its own, and within the bytes of an answer there's room for so many members that reading them
  // holds everybody up for seconds.
  if (isDeeper(text, answerDepth) || hasMoreMembers(text, answerMembers)) {
    const why = `The JSON in the service's response has more than ${answerDepth} levels or ${answerMembers} members.`;
    throw fail('bad-answer', why, 'unknown', { status });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw fail('bad-answer', "The service's response isn't valid JSON.", 'unknown', { cause, status });
  }
}

/** Codes of system errors that come before a request could be sent, where it is the connection that failed. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EACCES',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function networkError(error: unknown, late: boolean, fail: Fail): ServiceError {
  const code = errorCode(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return fail('service-timeout', "The service didn't accept the connection in time.", 'not-sent', {
      cause: error,
    });
  if (late || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return fail('service-timeout', "The service didn't respond in time.", 'unknown', { cause: error });
  }
  if (error instanceof errors.ResponseExceededMaxSizeError || error instanceof errors.HeadersOverflowError) {
    return fail('bad-answer', tooLong, 'unknown', { cause: error });
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError) {
    return fail(
      'bad-answer',
      'The service sent an invalid HTTP response. Check its address and any proxy before it.',
      'unknown',
      {
        cause: error,
      },
    );
  }
  const isUnreachable = code !== undefined && notSent.has(code) && isOfConnecting(error);
  if (
    isUnreachable ||
    (code !== undefined && /^(?:CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
  ) {
    return fail(
      'service-unavailable',
      isUnreachable
        ? "The service can't be reached."
        : "The service's certificate is not trusted. Check its ca in the configuration.",
      'not-sent',
      { cause: error },
    );
  }
  return fail('service-unavailable', 'The connection to the service was lost.', 'unknown', { cause: error });
}

/** Whether it was the connection that failed, not what went over it: a network may become unreachable after a request was sent. */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof AggregateError) return isOfConnecting(error.errors[0]);
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
  );
}
