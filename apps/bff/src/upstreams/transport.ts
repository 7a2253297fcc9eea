/**
 * Requests to one service, with what all clients need: keep-alive, deadlines, a size limit, no redirects, no
 * decompression, and errors that say whether the service may have done what the request asked for.
 */
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { largeTurns } from '@gatehouse/service-kit/body-turns';
import type { Clock } from '@gatehouse/service-kit/clock';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { rateLimiter } from '@gatehouse/service-kit/rate-limit';
import type { Slices } from '@gatehouse/service-kit/slices';
import { tlsFault } from '@gatehouse/service-kit/tls-fault';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { turns } from '@gatehouse/service-kit/turns';
import { Pool, errors } from 'undici';
import * as z from 'zod/mini';
import type { ServiceConfig } from '#config/config.ts';
import type { Asker, Guard } from '#ground/call.ts';
import { parseInSlices } from './parse-in-slices.ts';
import { jsonOf, largeBytes, readAnswer, type Fail } from './read-answer.ts';
import { rateLimited, refuseUnlessHeld, ServiceError } from './service-error.ts';

/** The limits of calls to one service. */
export interface TransportLimits {
  /** The deadline for a connection, in milliseconds. */
  readonly connectMs: number;
  /** The deadline for a whole call, from sending to the last byte, in milliseconds. */
  readonly callMs: number;
  /** The maximum size of an answer, in bytes. */
  readonly answerBytes: number;
  /** The maximum number of connections. */
  readonly connections: number;
}

export const defaultLimits: TransportLimits = {
  connectMs: 3_000,
  callMs: 15_000,
  answerBytes: 16 * 1024 * 1024,
  connections: 64,
};

/** A request. The path is built with `buildPath`, and the client adds the token in the service's own way. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Header fields besides those that every request carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON text, sent unchanged instead of `body`, for numbers that JavaScript can't represent exactly. */
  readonly text?: string;
  /** A file, sent unchanged instead of `body`. */
  readonly bytes?: Uint8Array;
  /** The body's media type. Default: `application/json`. */
  readonly contentType?: string;
  /** The origin of the call. It correlates both logs, and lets the service rate-limit users instead of the console. */
  readonly asker?: Asker;
  /** The user's account, which takes turns with others when all connections are in use. Default: the asker's address. */
  readonly account?: string;
  /** The request writes nothing, though its method isn't GET. */
  readonly reads?: true;
  /** The guard of the call that sends the request. Nothing is written before it has passed. */
  readonly guard?: Pick<Guard, 'isPassed'> | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** A deadline in milliseconds instead of the default. */
  readonly deadlineMs?: number;
  /** The request has an effect, though its method is GET, so it is never repeated. */
  readonly once?: true;
  /** Refuses an answer with more values before it is parsed, with these words. */
  readonly atMost?: { readonly values: number; readonly words: string };
  /** Only checks whether the service responds, over separate connections that no other requests use. */
  readonly probes?: true;
}

/** An answer below 300, or an error that the client reads. */
export interface ServiceAnswer {
  readonly status: number;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
  /** The body's unchanged text, for numbers that JavaScript can't represent exactly. */
  readonly text: string;
  /** Header fields by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** For work on the answer, in the turns of the user or address that it is for. A small answer waits for none. */
  readonly slices: Pick<Slices, 'giveWay'>;
}

/** The connections to one service of one environment. */
export interface Transport {
  readonly environment: string;
  readonly service: ServiceName;
  /** The connection pool: the same object for all callers, so that it can key caches about the service. */
  readonly pool: object;
  /** The path of the service's configured address, without a trailing slash. */
  readonly prefix: string;
  /**
   * Sends a request and reads its JSON answer. Statuses 200–299 and 400–599 with JSON bodies are answers. A GET whose
   * connection broke before an answer is repeated once, unless `once` is set.
   * @throws ServiceError `service-unavailable`, `service-timeout`, `bad-answer`, `rate-limited`
   */
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /**
   * Parses an answer's body with its wire schema, and the elements of its lists one by one, in slices.
   * @throws ServiceError `bad-answer` if the body doesn't match
   */
  parse<Schema extends z.ZodMiniType>(schema: Schema, answer: ServiceAnswer): Promise<z.output<Schema>>;
  close(): Promise<void>;
}

/** The number of connections for probes. */
const probeConnections = 2;
/**
 * Calls in progress that an owner's requests can cancel: each one costs its connection, and while new ones are made,
 * others wait. Further calls keep their turns until they are answered.
 */
const cancelLimit = { burst: 40, perSecond: 10 };
/** The deadline for a probe, in milliseconds. */
const probeMs = 3_000;
/** The maximum size of an answer to a probe, in bytes. */
const probeBytes = 256 * 1024;

export interface TransportOptions {
  readonly environment: string;
  readonly service: ServiceName;
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly limits?: Partial<TransportLimits>;
}

/** A service's client for one user's call. @param account undefined before the user has signed in */
export function askedBy<Client extends { readonly transport: Transport }>(
  asker: Asker,
  client: Client,
  account?: string,
): Client {
  const { transport } = client;
  return {
    ...client,
    transport: {
      ...transport,
      send: (request) => transport.send({ ...request, asker, ...(account !== undefined && { account }) }),
    },
  };
}

/** A service's client for probes. */
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
  // Turns per user instead of the pool's own queue, in which a user with hundreds of requests would hold up all others.
  // One user gets at most half of the connections, because each read may take seconds.
  const inTurn = turns({
    atOnce: limits.connections,
    ownAtOnce: Math.ceil(limits.connections / 2),
    mostOwn: Infinity,
    mostWaiting: Infinity,
  });
  const cancels = rateLimiter(cancelLimit, clock);
  // One queue per service, so that a slow service holds up no answers of others.
  const largeInTurn = largeTurns({ mostOwn: Infinity, mostWaiting: Infinity });
  const about = { service, environment };
  const fail: Fail = (code, detail, delivery, extra = {}) =>
    new ServiceError(
      code,
      detail,
      { ...about, cause: extra.cause },
      { delivery, ...(extra.status !== undefined && { status: extra.status }) },
    );

  const unexpected = (error: z.core.$ZodError, { status }: ServiceAnswer): ServiceError => {
    const issues = error.issues
      .slice(0, 20)
      .map((issue) => `${issue.path.join('.').slice(0, 200)} ${issue.code}`);
    const long = error.issues.find((issue) => issue.code === 'too_big' && issue.origin in longParts);
    return fail(
      'bad-answer',
      long?.code === 'too_big'
        ? `The service's response has ${longParts[long.origin]} of more than ${long.maximum.toLocaleString('en')} ${long.origin === 'array' ? 'entries' : 'characters'}.`
        : "The service's response isn't in the expected format.",
      'unknown',
      { cause: new TypeError(issues.join(', ')), status },
    );
  };

  const exchange = async (request: ServiceRequest, signal: AbortSignal): Promise<ServiceAnswer> => {
    const { asker } = request;
    if (isWrite(request)) refuseUnlessHeld(about);
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
        // Set here and never passed on, so that users can't choose the address that a service counts for them.
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
      // Destroying an unread body emits an error on the body, which nothing else would handle.
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
    const { text, read, slices } = await readAnswer(body, {
      largeInTurn,
      owner: ownerOf(request),
      isPerson: request.account !== undefined,
      isSmall: length < largeBytes,
      signal,
      parse: async (whole, slices) => {
        if (statusCode === 429) throw rateLimited(about, headers['retry-after'], clock.now());
        const { atMost } = request;
        if (atMost !== undefined && hasMoreMembers(whole, atMost.values))
          throw fail('payload-too-large', atMost.words, 'answered', { status: statusCode });
        return jsonOf(whole, headers['content-type'], { status: statusCode, slices, fail });
      },
    });
    return { status: statusCode, body: read, text, headers, slices };
  };

  const once = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const controller = new AbortController();
    let late = false;
    let hadTurn = false;
    const deadline = setTimeout(() => {
      late = true;
      controller.abort();
    }, request.deadlineMs ?? limits.callMs);
    const gone = (): void => {
      const isFree = !hadTurn || request.asker === undefined;
      if (isFree || cancels.take(ownerOf(request)).allowed) controller.abort();
    };
    request.signal?.addEventListener('abort', gone, { once: true });
    const work = (): Promise<ServiceAnswer> => {
      hadTurn = true;
      return exchange(request, controller.signal);
    };
    try {
      if (request.signal?.aborted === true)
        throw fail('service-unavailable', 'The request was canceled.', 'not-sent');
      if (request.probes === true) return await work();
      return await inTurn(ownerOf(request), work, controller.signal);
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      if (hadTurn) throw networkError(cause, late, fail);
      throw late
        ? fail('service-timeout', 'No connection to the service became free in time.', 'not-sent', { cause })
        : fail('service-unavailable', 'The request was canceled.', 'not-sent', { cause });
    } finally {
      clearTimeout(deadline);
      request.signal?.removeEventListener('abort', gone);
    }
  };

  return {
    environment,
    service,
    pool,
    prefix: endpoint.kind === 'url' ? trimEndSlashes(endpoint.url.pathname) : '',
    async send(request) {
      if (isWrite(request) && request.guard?.isPassed === false) {
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
    async parse(schema, answer) {
      try {
        return await parseInSlices(schema, answer.body, answer.slices);
      } catch (error) {
        throw error instanceof z.core.$ZodError ? unexpected(error, answer) : error;
      }
    },
    async close() {
      await Promise.all([pool.destroy(), probes.destroy()]);
    },
  };
}

function isWrite({ method, reads }: ServiceRequest): boolean {
  return method !== 'GET' && reads !== true;
}

/** The user or address that takes turns for a request. */
function ownerOf({ account, asker }: ServiceRequest): string {
  return account ?? asker?.address ?? '';
}

/** What the console limits in answers. */
const longParts: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a name, ID, token or address',
};

const tooLong =
  "The service's response is too large, has too many chunks, or follows too many interim responses.";

/** System error codes that mean nothing was sent, if the connection is what failed. */
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

/** The error of a call whose connection failed or whose answer isn't HTTP. @param late whether its deadline has passed */
export function networkError(error: unknown, late: boolean, fail: Fail): ServiceError {
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
  if (code !== undefined && notSent.has(code) && isOfConnecting(error))
    return fail('service-unavailable', "The service can't be reached.", 'not-sent', { cause: error });
  const fault = tlsFault(error);
  if (fault !== undefined) {
    const why = `The service can't be reached securely: ${fault}. Check its url and ca in the configuration.`;
    return fail('service-unavailable', why, 'not-sent', { cause: error });
  }
  return fail('service-unavailable', 'The connection to the service was lost.', 'unknown', { cause: error });
}

/** Whether connecting failed: a network can also become unreachable after a request was sent. */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof AggregateError) return isOfConnecting(error.errors[0]);
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
  );
}
