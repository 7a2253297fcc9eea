import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { bodyTurns, isLargeBody, type BodyInTurn } from '@gatehouse/service-kit/body-turns';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { bodyLimitFor, bodyDeadlineMs, readBytes } from '@gatehouse/service-kit/http';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { StoreUnavailable } from '@gatehouse/service-kit/store-error';
import { NoTurn } from '@gatehouse/service-kit/turns';
import type { ForwardedCaller } from '../core/identity.ts';
import { Refusal, badRequest } from '../core/refusal.ts';
import type { ForwardedAnswer, ForwardedRequest } from '../replication/link/types.ts';
import { includes } from '../store/replication/filter/filter.ts';
import type { PathsFilter } from '../store/replication/replication-store.ts';
import { errorBody } from './envelope.ts';
import { askerFor, perform, type Outgoing, type Pipeline, type SentBody } from './pipeline.ts';

/** Handles all HTTP requests of the service in one function, which keeps the overhead per request low. */
export function requestHandler(pipeline: Pipeline): RequestListener {
  const inTurn = bodyTurns();
  return (req, res) => {
    const id = randomUUID();
    answerOrRefuse(pipeline, inTurn, id, req, res).catch(() => res.destroy());
  };
}

async function answerOrRefuse(
  pipeline: Pipeline,
  inTurn: BodyInTurn,
  id: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const start = pipeline.clock.monotonic();
  const { headers, method = '' } = req;
  let route: string | undefined;
  try {
    const token = tokenOf(headers);
    const asker = askerFor(pipeline, { method, token, address: clientAddress(req) });
    const work = (): Promise<Outgoing> =>
      perform(pipeline, {
        id,
        method,
        url: req.url ?? '',
        namespace: headers['x-vault-namespace'],
        token,
        wrapTtl: headers['x-vault-wrap-ttl'],
        contentType: headers['content-type'],
        address: clientAddress(req),
        asker,
        hasLeft: () => res.destroyed,
        body() {
          const limit = bodyLimitFor(req, bodyLimit, () => asker().isKnown);
          return readBody(req, limit, asker().name);
        },
      });
    // Until the answer, because a large body is in memory until then.
    const answer = await (isLargeBody(req) && asker().isKnown ? inTurn(req, asker().name, work) : work());
    ({ route } = answer);
    send(res, answer);
  } catch (error) {
    refuse(pipeline, id, res, error);
  }
  logRequest(pipeline, { id, method, route, status: res.statusCode, start });
}

/** The logged fields of a request. */
interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  /** Undefined for a refused request. */
  readonly route: string | undefined;
  readonly status: number;
  /** A reading of the monotonic clock, in milliseconds. */
  readonly start: number;
}

function logRequest({ log, clock }: Pipeline, { id, method, route, status, start }: LoggedRequest): void {
  log.debug('request', {
    requestId: id,
    method,
    ...(route !== undefined && { route }),
    status,
    ms: clock.monotonic() - start,
  });
}

/**
 * Answers a request that a secondary forwards as if it had arrived here, for a caller whom the secondary has
 * authenticated. The caller's policies are evaluated again with this cluster's policies, and the secondary's paths
 * filter applies to the write.
 */
export async function answerForwarded(
  pipeline: Pipeline,
  secondary: string,
  request: ForwardedRequest,
  filter: PathsFilter | undefined,
): Promise<Omit<ForwardedAnswer, 'seq'>> {
  const id = randomUUID();
  const { method, displayName, policies, callerNamespace: namespace, wrapTtl, owner = displayName } = request;
  const caller: ForwardedCaller = { accessor: '', namespace, displayName, policies, secondary, owner };
  const start = pipeline.clock.monotonic();
  const logged = (status: number, route?: string): void =>
    logRequest(pipeline, { id, method, route, status, start });
  try {
    const {
      status,
      text,
      headers = {},
      route,
    } = await perform(pipeline, {
      id,
      method,
      url: `/v1/${request.path}`,
      namespace: request.namespace,
      token: undefined,
      wrapTtl: wrapTtl === 0 ? undefined : String(wrapTtl),
      contentType: request.contentType,
      address: undefined,
      asker: askerFor(pipeline, { method, token: undefined, address: undefined, caller }),
      body: () => Promise.resolve({ text: request.body, [Symbol.dispose]: () => undefined }),
      caller,
      receives: (place) => includes(filter, place),
    });
    logged(status, route);
    return { status, headers, body: text };
  } catch (error) {
    const { status, errors, headers } = refusalOf(pipeline, id, error);
    logged(status);
    return { status, headers, body: errorBody(errors) };
  }
}

function tokenOf(headers: IncomingMessage['headers']): string | undefined {
  const own = headers['x-vault-token'];
  if (typeof own === 'string' && own !== '') return own;
  const { authorization } = headers;
  const bearer = authorization === undefined ? null : /^bearer +(\S+)$/i.exec(authorization);
  return bearer?.[1];
}

const plainHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function send(res: ServerResponse, { status, text, headers = {} }: Outgoing): void {
  if (text === '') {
    res.writeHead(status, { ...plainHeaders, ...headers });
    res.end();
    return;
  }
  res.writeHead(status, {
    ...plainHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  res.end(text);
}

function refuse(pipeline: Pipeline, id: string, res: ServerResponse, error: unknown): void {
  const { status, errors, headers } = refusalOf(pipeline, id, error);
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // Closes the connection so that the rest of an unread body isn't parsed as the next request.
  const unread: Record<string, string> = res.req.complete ? {} : { Connection: 'close' };
  send(res, { status, text: errorBody(errors), headers: { ...headers, ...unread } });
}

/** Converts an error to a refusal, and logs unexpected ones. */
function refusalOf({ log }: Pipeline, id: string, error: unknown): Refusal {
  const refusal = asRefusal(error);
  if (refusal.status >= 500 && !(error instanceof Refusal || error instanceof NoTurn)) {
    log.error('request failed', { error, requestId: id });
  }
  return refusal;
}

const noTurn = {
  own: 'Too many of your requests of this kind are already waiting. Send this one when they are done.',
  all: 'Too many requests of this kind are waiting. Send this one again in a minute.',
  late: 'This request waited too long for its turn. Send it again in a minute.',
};

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NoTurn) {
    const { reason } = error;
    return new Refusal(reason === 'own' ? 429 : 503, [noTurn[reason]], { 'Retry-After': '30' });
  }
  if (error instanceof HttpError) return new Refusal(error.status, [error.message], error.headers);
  if (error instanceof StoreUnavailable) {
    return error.reason === 'full'
      ? new Refusal(507, ['no space left to store the change'], { 'Retry-After': '30' })
      : new Refusal(503, ['the store is not available at the moment'], {
          'Retry-After': error.reason === 'busy' ? '1' : '30',
        });
  }
  return new Refusal(500, ['internal error']);
}

/** The body limit for requests with a valid token, in bytes. */
const bodyLimit = 32 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as text.
 * @param limit in bytes
 * @param owner whom it is read for
 * @throws Refusal 413 above the limit, 408 on timeout, 415 for a content encoding, 400 if it is not UTF-8 or ends early
 */
async function readBody(req: IncomingMessage, limit: number, owner: string): Promise<SentBody> {
  const { 'content-encoding': encoding } = req.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal(415, ['content encodings are not supported']);
  const held = await readBytes(req, limit, bodyDeadlineMs, owner).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 413) throw new Refusal(413, ['http: request body too large']);
    if (error.status === 408) throw new Refusal(408, ["the body didn't arrive in time"]);
    throw badRequest('the body ended early');
  });
  try {
    return { text: utf8.decode(held.bytes), [Symbol.dispose]: () => held[Symbol.dispose]() };
  } catch {
    held[Symbol.dispose]();
    throw badRequest('failed to decode JSON input: not UTF-8');
  }
}
