import { largeBodyBytes } from '@gatehouse/service-kit/body-turns';
import { networkOf } from '@gatehouse/service-kit/client-address';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { askerOf, isTurnOver, probeTurn, Slices } from '@gatehouse/service-kit/slices';
import type { Asker } from '@gatehouse/service-kit/slices';
import { requireInFirstWrite, writeFor } from '@gatehouse/service-kit/write-queue';
import type { Authorizer } from '../core/authorizer.ts';
import type { Answer, Backend, Handler, Match, Place, Request, Result } from '../core/backend.ts';
import { emptyBody, parseBody } from '../core/body.ts';
import type { ForwardedCaller, Namespaces, TokenEntry } from '../core/identity.ts';
import type { Mount } from '../core/mount.ts';
import {
  Refusal,
  badRequest,
  notFound,
  permissionDenied,
  sealedRefusal,
  unsupportedOperation,
} from '../core/refusal.ts';
import {
  checkNamespace,
  isMergePatch,
  mergePatchType,
  nowhere,
  operationOf,
  placeOf,
  wrapTtlOf,
} from './asked.ts';
import { endOfTurn } from './end-of-turn.ts';
import { envelope } from './envelope.ts';
import { noRoute, refuseExcluded } from './excluded.ts';
import { ignoredParameters } from './ignored-parameters.ts';
import { parseTarget } from './path.ts';

/** The dependencies of the request pipeline. */
export interface Pipeline {
  readonly sealed: () => boolean;
  readonly findMount: (namespace: string, path: string) => Mount | undefined;
  /** By mount type. */
  readonly backends: ReadonlyMap<string, Backend>;
  readonly authorizer: Authorizer;
  readonly namespaces: Namespaces;
  /** Forwards writes to the primary; a server without a forwarder is never a secondary. */
  readonly forwarder?: Forwarder;
  readonly clock: Clock;
  readonly log: Log;
}

/** Forwards a secondary's writes to its primary. */
export interface Forwarder {
  /** Whether this server is a secondary. */
  readonly active: boolean;
  /** Returns the primary's answer. @param body as received @throws Refusal 503 when no primary can be reached */
  pass(request: Request, body: string): Promise<Outgoing>;
}

export interface Incoming {
  /** A UUID. */
  readonly id: string;
  readonly method: string;
  /** As sent, such as `/v1/sys/health`. */
  readonly url: string;
  /** The X-Vault-Namespace header. */
  readonly namespace: string | string[] | undefined;
  readonly token: string | undefined;
  readonly wrapTtl: string | string[] | undefined;
  readonly contentType: string | undefined;
  /** The client's address; undefined for a Unix socket client that doesn't send one, and for forwarded requests. */
  readonly address: string | undefined;
  /** Whom the work is done for (`askerFor`). */
  readonly asker: () => Asker;
  /** Reads the body. @throws Refusal */
  body(): Promise<SentBody>;
  /** The caller that a secondary has authenticated; then `token` is undefined. */
  readonly caller?: ForwardedCaller;
  /** Whether the client has disconnected; defaults to false. */
  readonly hasLeft?: () => boolean;
  /** Whether the forwarding secondary receives a place; by default it receives every place. */
  readonly receives?: (place: Place) => boolean;
}

/** A body that counts as its sender's until it is disposed of. */
export interface SentBody extends Disposable {
  readonly text: string;
}

/** An answer to be sent. */
export interface Outgoing {
  readonly status: number;
  /** JSON; empty for an answer without a body. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The pattern of the route that answered. */
  readonly route?: string;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Answers a request: finds its route, authenticates, authorizes, and runs it here or forwards it to the primary. */
export function perform(pipeline: Pipeline, incoming: Incoming): Promise<Outgoing> {
  return writeFor(incoming.asker, async () => {
    try {
      return await answer(pipeline, incoming);
    } catch (error) {
      // Most refusals come before a request's turn.
      if (isTurnOver()) await turnOf(incoming)();
      throw error;
    }
  });
}

/** Returns the function that finds whom a request's work is done for, only if that matters, because it costs a lookup. */
export function askerFor(
  { authorizer, clock, sealed }: Pipeline,
  { method, token, address, caller }: Pick<Incoming, 'method' | 'token' | 'address' | 'caller'>,
): () => Asker {
  let asker: Asker | undefined;
  const id = (): string | undefined => {
    if (caller !== undefined) return `${caller.secondary} ${caller.owner}`;
    return token === undefined || sealed() ? undefined : authorizer.ownerOf(token, clock.now());
  };
  return () => (asker ??= askerOf(id(), networkOf(address ?? ''), 'secrets', { method }));
}

async function answer(pipeline: Pipeline, incoming: Incoming): Promise<Outgoing> {
  const { url, method, token, contentType, address } = incoming;
  const target = parseTarget(url);
  const asked = operationOf(method, target.query);
  const { namespace, path: given } = placeOf(pipeline.namespaces, incoming.namespace, target.path);
  const writes = asked === 'update' || asked === 'patch';
  if (writes && given.endsWith('/')) throw badRequest("cannot write to a path ending in '/'");
  const fullPath = asked !== 'list' || given.endsWith('/') ? given : `${given}/`;

  const mount = pipeline.findMount(namespace, fullPath);
  const path = mount === undefined ? '' : fullPath.slice(mount.path.length);
  const backend = mount === undefined ? undefined : pipeline.backends.get(mount.type);
  const match = backend?.match(asked === 'list' ? path.slice(0, -1) : path);
  if (pipeline.sealed() && match?.route.whileSealed !== true) throw sealedRefusal();

  using sent = writes ? await incoming.body() : undefined;
  const text = sent?.text ?? '';
  // A large body takes one turn to parse and another to handle. Nothing else is delayed unless the current turn of the
  // event loop has used its budget.
  const giveWay = turnOf(incoming);
  // Reads that work while sealed report the server's state; a long delay would make the server look down.
  const isProbe = match?.route.whileSealed === true && asked === 'read';
  if (isProbe) await probeTurn(address, incoming.hasLeft ?? (() => false));
  const isDelayed = (): boolean => !isProbe && (text.length > largeBodyBytes || isTurnOver());
  if (isDelayed()) await giveWay();
  const body = text === '' ? emptyBody : parseBody(text);
  if (isDelayed()) await giveWay();
  sent?.[Symbol.dispose]();
  const request: Mutable<Request> = {
    id: incoming.id,
    namespace,
    operation: asked,
    mount: mount ?? nowhere,
    path,
    fullPath,
    needsSudo: match?.route.sudo === true,
    query: target.query,
    body,
    contentType,
    caller: undefined,
    token,
    wrapTtl: incoming.wrapTtl === undefined ? undefined : wrapTtlOf(incoming.wrapTtl),
    now: pipeline.clock.now(),
    address,
    giveWay,
  };
  await admit(pipeline, incoming, request, match);
  if (mount === undefined || backend === undefined) throw noRoute(given);
  if (match === undefined) throw new Refusal(404, ['unsupported path']);
  const handler = handlerOf(method, request, match);
  const route = `${mount.type}/${match.route.path}`;
  const shared = isShared(request, match);
  pipeline.authorizer.checkRoom(request);
  if (incoming.caller !== undefined) {
    // A secondary forwards only shared writes in places it receives, and wraps answers itself.
    if (!shared) throw unsupportedOperation();
    if (incoming.receives !== undefined) refuseExcluded(incoming.receives, request, match);
    request.wrapTtl = undefined;
  } else if (shared && pipeline.forwarder?.active === true) {
    const answer = await pipeline.forwarder.pass(request, text);
    return { ...(await wrapped(pipeline, request, answer)), route };
  }
  const result = await handler(request, match.params);
  // Answers to writes are already sent together, once the written data is on disk.
  if (request.operation === 'read' || request.operation === 'list') await endOfTurn();
  return { ...(await outgoingOf(pipeline, request, match, result)), route };
}

/**
 * Returns the function that delays each part of a request's work. Of the delayed requests, one runs per turn,
 * alternating between their askers.
 */
function turnOf({ asker, hasLeft = () => false }: Incoming): () => Promise<void> {
  let slices: Slices | undefined;
  return () => (slices ??= new Slices(hasLeft, asker())).giveWay();
}

/** Authenticates the caller, and checks authorization now and in the request's first write. @throws Refusal 403 */
async function admit(
  pipeline: Pipeline,
  { caller: forwarded, token }: Incoming,
  request: Mutable<Request>,
  match: Match | undefined,
): Promise<void> {
  const { authorizer, clock } = pipeline;
  const { namespace, now } = request;
  const open = match?.route.withoutToken === true;
  if (open && match?.route.tokenWelcome !== true) return;
  const caller: TokenEntry | undefined =
    forwarded ?? (token === undefined ? undefined : await authorizer.authenticate(token, namespace, now));
  request.caller = caller;
  if (open) return;
  const unknown = (): Refusal => match?.route.unknownToken?.(request) ?? permissionDenied();
  if (caller === undefined) throw token === undefined ? permissionDenied() : unknown();
  await authorizer.prepare(caller, request.giveWay);
  const asked = { ...request };
  const meant = recordPath(request, match);
  const judge = (judged: Mutable<Request>): void => {
    if (
      !mayProceed(authorizer, caller, judged, match) ||
      (meant !== judged.fullPath && !mayProceed(authorizer, caller, { ...asked, fullPath: meant }, match))
    )
      throw permissionDenied();
  };
  judge(request);
  requireInFirstWrite(() => {
    if (token !== undefined && !authorizer.holds(caller, token, clock.now())) throw unknown();
    authorizer.requirePrepared(caller, request.giveWay);
    judge({ ...asked });
    if (pipeline.findMount(namespace, asked.fullPath)?.id !== asked.mount.id) throw noRoute(asked.fullPath);
    checkNamespace(pipeline.namespaces, namespace);
  });
}

/** The path of the record that a request acts on: the path that was sent, unless the route knows several. */
function recordPath({ mount, fullPath, operation }: Request, match: Match | undefined): string {
  const path = match?.route.canonical?.(match.params);
  if (path === undefined) return fullPath;
  return `${mount.path}${path}${operation === 'list' ? '/' : ''}`;
}

/**
 * Finds the handler of the operation.
 * @throws Refusal if the path doesn't support the operation in this form
 */
function handlerOf(method: string, request: Request, { route }: Match): Handler {
  if (method === 'HEAD' && route.head !== true) throw unsupportedOperation();
  if (route.rootNamespaceOnly === true && request.namespace !== '')
    throw badRequest('operation unavailable in namespaces');
  if (request.operation === 'patch' && !isMergePatch(request.contentType)) {
    throw new Refusal(415, [
      `PATCH requires Content-Type of ${mergePatchType}, provided ${request.contentType ?? 'none'}`,
    ]);
  }
  const handler =
    route.operations[request.operation] ??
    (request.operation === 'create' ? route.operations.update : undefined);
  if (handler === undefined) throw unsupportedOperation();
  return handler;
}

/** Whether a request writes data that clusters share. */
function isShared(request: Request, { route, params }: Match): boolean {
  const { forwarded = false } = route;
  if (forwarded === false || request.mount.local) return false;
  if (typeof forwarded === 'function') return forwarded(request, params);
  return request.operation !== 'read' && request.operation !== 'list';
}

/**
 * Whether the caller may perform the operation. If the record does not exist yet, `update` becomes `create`. The store
 * is asked only if that matters, because evaluating the policies twice costs less.
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

async function outgoingOf(
  pipeline: Pipeline,
  request: Request,
  match: Match,
  result: Result,
): Promise<Outgoing> {
  const ignored = ignoredParameters(request, match);
  if (result?.bare !== undefined) {
    const { bare, status = 200, headers = {} } = result;
    const text = 'text' in bare && typeof bare.text === 'string' ? bare.text : JSON.stringify(bare);
    return { status, text: text === '' ? '' : `${text}\n`, headers };
  }
  if (result === undefined && ignored.length === 0) {
    if (request.operation === 'read' || request.operation === 'list') throw notFound();
    return { status: 204, text: '' };
  }
  const full: Answer =
    ignored.length === 0
      ? (result ?? {})
      : { ...result, warnings: [...(result?.warnings ?? []), ...ignored] };
  const { status = 200, headers = {}, wrapInfo } = full;
  const text = envelope({ id: request.id, mountType: request.mount.type }, full);
  return wrapInfo === undefined
    ? wrapped(pipeline, request, { status, text, headers }, full)
    : { status, text, headers };
}

/**
 * Stores the answer for one reading if the request asks to wrap it, and returns the wrapping token's details. Without a
 * token, only a sign-in's answer is stored, for the user who signed in: the others are public, and would fill the store.
 */
async function wrapped(
  { authorizer }: Pipeline,
  request: Request,
  answer: Outgoing,
  { auth, warnings }: Pick<Answer, 'auth' | 'warnings'> = {},
): Promise<Outgoing> {
  const { wrapTtl, id, mount, caller, now } = request;
  if (wrapTtl === undefined || answer.status >= 400 || answer.text === '') return answer;
  const { client_token: granted, accessor } = auth ?? {};
  const owner = typeof granted === 'string' ? authorizer.ownerOf(granted, now) : undefined;
  if (caller === undefined && owner === undefined) return answer;
  const wrapInfo = await authorizer.wrap(request, answer.text, wrapTtl, {
    owner,
    accessor: typeof accessor === 'string' ? accessor : undefined,
  });
  const text = envelope(
    { id, mountType: mount.type },
    { wrapInfo, ...(warnings !== undefined && { warnings }) },
  );
  return { status: 200, text };
}
