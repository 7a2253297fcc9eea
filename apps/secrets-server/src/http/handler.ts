import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { Log } from '@gatehouse/service-kit/log';
import { StoreUnavailable } from '@gatehouse/service-kit/store-error';
import type { Authorizer } from '../core/authorizer.ts';
import type { Answer, Backend, Match, Operation, Request, Result } from '../core/backend.ts';
import { emptyBody, parseBody } from '../core/body.ts';
import { parseDuration } from '../core/duration.ts';
import type { Namespaces, TokenEntry } from '../core/identity.ts';
import type { Mount } from '../core/mount.ts';
import {
  Refusal,
  badRequest,
  notFound,
  permissionDenied,
  sealedRefusal,
  unsupportedOperation,
} from '../core/refusal.ts';
import { endOfTurn } from './end-of-turn.ts';
import { envelope, errorBody } from './envelope.ts';
import { ignoredParameters } from './ignored-parameters.ts';
import { namespacePath, parseTarget } from './path.ts';
import { readBody } from './read-body.ts';

/** What the pipeline needs of the rest. */
export interface Pipeline {
  readonly sealed: () => boolean;
  readonly findMount: (namespace: string, path: string) => Mount | undefined;
  /** The backends by type of mount. */
  readonly backends: ReadonlyMap<string, Backend>;
  readonly authorizer: Authorizer;
  readonly namespaces: Namespaces;
  readonly clock: Clock;
  readonly log: Log;
}

/** The service's whole HTTP face: one function, so that a request costs little beside what it asks for. */
export function requestHandler(pipeline: Pipeline): RequestListener {
  return (req, res) => {
    const id = randomUUID();
    answerOrRefuse(pipeline, id, req, res).catch(() => res.destroy());
  };
}

async function answerOrRefuse(
  pipeline: Pipeline,
  id: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const start = pipeline.clock.monotonic();
  let route: string | undefined;
  try {
    route = await answer(pipeline, id, req, res);
  } catch (error) {
    refuse(pipeline, id, res, error);
  }
  pipeline.log.debug('request', {
    requestId: id,
    ...(req.method !== undefined && { method: req.method }),
    ...(route !== undefined && { route }),
    status: res.statusCode,
    ms: pipeline.clock.monotonic() - start,
  });
}

/** Answers a request; resolves with the pattern of its path. */
async function answer(
  pipeline: Pipeline,
  id: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<string | undefined> {
  const { headers } = req;
  const target = parseTarget(req.url ?? '');
  const asked = operationOf(req.method ?? '', target.query);
  const { namespace, path: given } = placeOf(pipeline, headers['x-vault-namespace'], target.path);
  const writes = asked === 'update' || asked === 'patch';
  if (writes && given.endsWith('/')) throw badRequest('cannot write to a path ending in "/"');
  const fullPath = asked !== 'list' || given.endsWith('/') ? given : `${given}/`;

  const mount = pipeline.findMount(namespace, fullPath);
  const path = mount === undefined ? '' : fullPath.slice(mount.path.length);
  const backend = mount === undefined ? undefined : pipeline.backends.get(mount.type);
  const match = backend?.match(asked === 'list' ? path.slice(0, -1) : path);
  if (pipeline.sealed() && match?.route.whileSealed !== true) throw sealedRefusal();

  const body = writes ? parseText(await readBody(req)) : emptyBody;
  const now = pipeline.clock.now();
  const token = tokenOf(headers);
  const wrapHeader = headers['x-vault-wrap-ttl'];
  const request: Mutable<Request> = {
    id,
    namespace,
    operation: asked,
    mount: mount ?? nowhere,
    path,
    fullPath,
    needsSudo: match?.route.sudo === true,
    query: target.query,
    body,
    contentType: headers['content-type'],
    caller: undefined,
    token,
    wrapTtl: wrapHeader === undefined ? undefined : wrapTtlOf(wrapHeader),
    now,
    address: req.socket.remoteAddress,
  };

  if (match?.route.withoutToken !== true) {
    if (token === undefined) throw permissionDenied();
    const entry: TokenEntry | undefined = await pipeline.authorizer.authenticate(token, namespace, now);
    if (entry === undefined) throw permissionDenied();
    request.caller = entry;
    if (!mayProceed(pipeline.authorizer, entry, request, match)) throw permissionDenied();
  }
  if (mount === undefined || backend === undefined) {
    throw new Refusal(404, [`no handler for route "${given}". route entry not found.`]);
  }
  if (match === undefined) throw new Refusal(404, ['unsupported path']);
  if (match.route.rootNamespaceOnly === true && namespace !== '')
    throw badRequest('operation unavailable in namespaces');
  if (asked === 'patch' && !isMergePatch(request.contentType)) {
    throw new Refusal(415, ['PATCH requests must have the content type application/merge-patch+json']);
  }
  const { route, params } = match;
  const handler =
    route.operations[request.operation] ??
    (request.operation === 'create' ? route.operations.update : undefined);
  if (handler === undefined) throw unsupportedOperation();
  const result = await handler(request, params);
  // Answers to writes go out together already, when what they wrote is on disk.
  if (request.operation === 'read' || request.operation === 'list') await endOfTurn();
  await send(pipeline, res, request, match, result);
  return `${mount.type}/${route.path}`;
}

/**
 * Whether the caller may do what is asked. A write becomes `create` where there is nothing yet and that makes a
 * difference: asking the policies twice costs less than asking the store.
 */
function mayProceed(
  authorizer: Authorizer,
  caller: TokenEntry,
  request: Mutable<Request>,
  match: Match | undefined,
): boolean {
  const allowed = authorizer.allowed(caller, request);
  const { exists, operations } = match?.route ?? {};
  if (request.operation !== 'update' || match === undefined || exists === undefined) return allowed;
  request.operation = 'create';
  const mayCreate = authorizer.allowed(caller, request);
  const matters = allowed !== mayCreate || operations?.create !== undefined;
  if (!matters || !exists(request, match.params)) return mayCreate;
  request.operation = 'update';
  return allowed;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Stands in for the mount of a request that reaches none: it is refused once it is known to be allowed. */
const nowhere: Mount = {
  id: 0,
  namespace: '',
  path: '',
  type: '',
  description: '',
  accessor: '',
  uuid: '',
  options: null,
  config: { defaultLeaseTtl: 0, maxLeaseTtl: 0, forceNoCache: false, listingVisibility: '' },
  pluginVersion: '',
};

function operationOf(method: string, query: URLSearchParams): Operation {
  switch (method) {
    // Balancers ask for the health by HEAD; Node leaves the body out.
    case 'HEAD':
    case 'GET': {
      const list = query.get('list');
      if (list === null || list === '') return 'read';
      if (/^(?:1|t|true)$/i.test(list)) return 'list';
      if (/^(?:0|f|false)$/i.test(list)) return 'read';
      throw badRequest('"list" is not a boolean');
    }
    case 'LIST':
      return 'list';
    case 'POST':
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    default:
      throw unsupportedOperation();
  }
}

/** The namespace of a request, by its header and by the beginning of its path, and the path below that. */
function placeOf(
  { namespaces }: Pipeline,
  header: string | string[] | undefined,
  path: string,
): { readonly namespace: string; readonly path: string } {
  let namespace = typeof header === 'string' ? namespacePath(header) : '';
  if (!namespaces.has(namespace)) throw new Refusal(404, ['namespace not found']);
  let at = 0;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const longer = namespace + path.slice(at, slash + 1);
    if (!namespaces.has(longer)) break;
    namespace = longer;
    at = slash + 1;
  }
  return { namespace, path: at === 0 ? path : path.slice(at) };
}

function tokenOf(headers: IncomingMessage['headers']): string | undefined {
  const own = headers['x-vault-token'];
  if (typeof own === 'string' && own !== '') return own;
  const { authorization } = headers;
  const bearer = authorization === undefined ? null : /^bearer +(\S+)$/i.exec(authorization);
  return bearer?.[1];
}

function wrapTtlOf(header: string | string[]): number | undefined {
  const seconds = typeof header === 'string' ? parseDuration(header) : undefined;
  if (seconds === undefined || seconds < 0) throw badRequest('unable to parse wrap TTL');
  return seconds === 0 ? undefined : Math.trunc(seconds);
}

function parseText(text: string) {
  return text === '' ? emptyBody : parseBody(text);
}

function isMergePatch(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/merge-patch\+json\s*(?:;|$)/i.test(contentType);
}

async function send(
  pipeline: Pipeline,
  res: ServerResponse,
  request: Request,
  match: Match,
  result: Result,
): Promise<void> {
  const ignored = ignoredParameters(request, match);
  if (result?.bare !== undefined) {
    const { bare } = result;
    sendText(
      res,
      result.status ?? 200,
      `${'text' in bare && typeof bare.text === 'string' ? bare.text : JSON.stringify(bare)}\n`,
      result.headers,
    );
    return;
  }
  if (result === undefined && ignored.length === 0) {
    if (request.operation === 'read' || request.operation === 'list') throw notFound();
    res.writeHead(204, plainHeaders);
    res.end();
    return;
  }
  let full: Answer =
    ignored.length === 0
      ? (result ?? {})
      : { ...result, warnings: [...(result?.warnings ?? []), ...ignored] };
  const answered = { id: request.id, mountType: request.mount.type };
  if (request.wrapTtl !== undefined && full.wrapInfo === undefined && (full.status ?? 200) < 400) {
    const wrapInfo = await pipeline.authorizer.wrap(request, envelope(answered, full), request.wrapTtl);
    full = { wrapInfo, ...(full.warnings !== undefined && { warnings: full.warnings }) };
  }
  sendText(res, full.status ?? 200, envelope(answered, full), full.headers);
}

const plainHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  res.writeHead(status, {
    ...plainHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  res.end(text);
}

function refuse(pipeline: Pipeline, id: string, res: ServerResponse, error: unknown): undefined {
  const refusal = asRefusal(error);
  if (refusal.status >= 500 && !(error instanceof Refusal)) {
    pipeline.log.error('request failed', { error, requestId: id });
  }
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // The rest of an unread body must not be taken for the next request.
  const unread: Record<string, string> = res.req.complete ? {} : { Connection: 'close' };
  sendText(res, refusal.status, errorBody(refusal.errors), { ...refusal.headers, ...unread });
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
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
