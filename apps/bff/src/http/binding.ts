/**
 * Binds the contract to Express: one route per path, with the checks that all operations share, in this order:
 * same-origin, method, session, revision, for a large body the connection and its turn, body, validation, confirmation,
 * the audit trail.
 */
import { allEndpoints, type NamedEndpoint } from '@gatehouse/api-types/console/endpoints';
import { jsonLimitBytes, type ServiceName } from '@gatehouse/api-types/console/service';
import {
  decisionsHeader,
  personHeader,
  pollHeader,
  type EndpointDefinition,
  type Method,
} from '@gatehouse/api-types/contract';
import { bodyTurns, isLargeBody } from '@gatehouse/service-kit/body-turns';
import { jsonBody, sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { clientLeft } from '@gatehouse/service-kit/http-error';
import { passOver } from '@gatehouse/service-kit/http-large-body';
import { Slices, type Asker } from '@gatehouse/service-kit/slices';
import { NoTurn, turns, type InTurn } from '@gatehouse/service-kit/turns';
import { writeFor } from '@gatehouse/service-kit/write-queue';
import { Router, type Express, type Request, type Response } from 'express';
import * as z from 'zod/mini';
import { readDecisions, readDenied, recorded, seen, type RecordedCall } from '#audit/recording.ts';
import type { Caller } from '#ground/call.ts';
import { ProblemError, type SignedOutReason } from '#ground/problem.ts';
import { noRole } from '#ground/service-nouns.ts';
import { guardOf } from '#operation/confirmation.ts';
import type { Context } from '#operation/context.ts';
import type { BoundOperation, Operations } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import type { ActiveSession } from '#session/session.ts';
import { sendCompressed } from './compression.ts';
import type { Guards } from './guards.ts';
import { sendLines } from './lines.ts';
import type { Peers } from './peer.ts';
import { readRevision } from './revision.ts';
import { validate } from './validate.ts';

/** What the binding needs. */
export interface BindingOptions {
  readonly context: Context;
  readonly operations: Operations;
  readonly guards: Guards;
  readonly peers: Peers;
  /** Whether answers are validated too, in development and tests. */
  readonly checkAnswers: boolean;
}

interface Route extends BoundOperation {
  readonly name: string;
  readonly endpoint: NamedEndpoint;
}

/** A path whose environment ID is longer than any valid one. */
const tooLong = /^\/api\/environments\/[^/]{64}/i;

/** Adds all routes of the contract to the application. `operations` contains all operations. */
export function bindContract(app: Express, options: BindingOptions): void {
  app.use((req, _res, next) => {
    // Before the paths, because each of them would read a long environment to its end.
    if (tooLong.test(req.path)) throw new ProblemError('not-found', 'There is no such environment.');
    next();
  });
  // Of its own, because Express compares a path with all that follow, even after an error.
  const routes = Router({ caseSensitive: true, strict: true });
  app.use(routes);
  for (const [path, methods] of routeTable(options.operations)) {
    const allow = [...methods.keys()];
    routes.all(path, async (req, res) => {
      options.guards.checkOrigin(req);
      const route = methods.get(req.method as Method);
      if (route === undefined) {
        throw new ProblemError('method-not-allowed', `This path only supports ${allow.join(', ')}.`, {
          allow,
        });
      }
      await answer(route, req, res, options);
    });
  }
}

function routeTable(operations: Operations): Map<string, Map<Method, Route>> {
  const table = new Map<string, Map<Method, Route>>();
  for (const endpoint of allEndpoints) {
    const methods = table.get(endpoint.path) ?? new Map<Method, Route>();
    methods.set(endpoint.method, { name: endpoint.name, endpoint, ...operations[endpoint.name] });
    table.set(endpoint.path, methods);
  }
  // A literal segment comes before a parameter: `/sessions/end-others` isn't a session's ID.
  return new Map(
    [...table].sort(([a], [b]) => (a.replaceAll(':', '\uffff') < b.replaceAll(':', '\uffff') ? -1 : 1)),
  );
}

async function answer(route: Route, req: Request, res: Response, options: BindingOptions): Promise<void> {
  const { context } = options;
  const { endpoint } = route;
  const found = await authenticate(req, context, endpoint.anonymous);
  const revision = endpoint.guarded === true ? readRevision(req.headers['if-match']) : undefined;
  const work = (): Promise<void> =>
    carryOut(route, req, res, options, { ...found, revision }).catch(async (error: unknown) => {
      throw await withoutRole(error, found.session, context);
    });
  if (!isLarge(endpoint, req)) return work();
  const { session } = found;
  if (session !== undefined) await requireConnection(route, req, session, context);
  // The turn lasts until the answer is complete, because the body is kept until then.
  return inTurn(req, session?.account ?? '', work);
}

/** A service's refusal, as `no-access` if the session's account has no role there. Returns other errors unchanged. */
async function withoutRole(
  error: unknown,
  session: ActiveSession | undefined,
  { connections }: Context,
): Promise<unknown> {
  if (session === undefined || !(error instanceof ProblemError) || error.code !== 'forbidden') return error;
  const { service, environment } = error.init;
  if (service === undefined || environment === undefined) return error;
  const isDenied = (await connections.denials(session.id)).has(`${environment}/${service}`);
  return isDenied ? noRole({ service, environment }) : error;
}

async function carryOut(
  route: Route,
  req: Request,
  res: Response,
  options: BindingOptions,
  { session, signedOut, revision }: Known & { readonly revision: string | undefined },
): Promise<void> {
  const { context } = options;
  const { endpoint } = route;
  const asker =
    session === undefined ? options.peers.strangerOf(req) : { name: session.account, isKnown: true };
  const slices = new Slices(() => res.destroyed, asker);
  if (endpoint.body !== undefined) {
    await readBody(req, res, asker, endpoint.bodyLimitBytes);
    // The session may have ended while the body arrived.
    if (session !== undefined) await authenticate(req, context, endpoint.anonymous);
  }
  const noted = seen();
  const params = (validate('params', endpoint.params, { ...req.params }) ?? {}) as RecordedCall['params'];
  const unguarded = {
    params,
    query: validate('query', endpoint.query, { ...req.query }),
    body: validate('body', endpoint.body, req.body),
    revision,
    session,
    signedOut,
    caller: callerOf(req, res, options.peers),
    slices,
    note: noted,
  };
  const { service } = route.addressOf(unguarded);
  const guard = guardOf(context, { params, session, service: service as ServiceName | '' });
  const call = { ...unguarded, guard };
  if (typeof route.harm === 'function') await guard.pass(route.harm(call));
  else if (route.harm === undefined) await guard.pass(endpoint.harm);
  const work = (): Promise<unknown> =>
    writeFor(
      () => asker,
      () => route.run(context, call),
    );
  // The trail counts the others.
  if (typeof endpoint.audit !== 'string') {
    const gone = new AbortController();
    res.once('close', () => gone.abort(clientLeft()));
    const line = `${asker.name} ${params['environment'] ?? ''}/${service ?? ''}`;
    const inTurnOf = endpoint.method === 'GET' ? reads : unrecorded;
    const body = await inTurnOf(line, () => readOrRecord(route, call, req, context, work), gone.signal);
    await send(route, req, res, slices, body, options);
    return;
  }
  // A recorded read is completely recorded before its first byte is sent.
  const decisions = readDecisions(req.headers[decisionsHeader]);
  await route.precondition?.(context, call);
  const actor = await otherActor(context, call, service);
  const body = await recorded(context.audit, route, call, decisions, { noted, guard, actor }, work);
  await send(route, req, res, slices, body, options);
}

/** The login name that a session acts under at a service, if it isn't that of the sign-in. */
async function otherActor(
  { connections }: Context,
  { session, params }: RecordedCall,
  service: string | undefined,
): Promise<string | undefined> {
  const { environment } = params;
  // Connecting and disconnecting aren't actions of the connected account.
  if (session === undefined || environment === undefined || 'service' in params) return undefined;
  const account = (await connections.of(session.id)).find(
    (one) => one.environment === environment && one.service === service,
  );
  return account?.login_name === session.loginName ? undefined : account?.login_name;
}

/** Runs a call that is recorded only if it is denied. */
async function readOrRecord(
  route: Route,
  call: RecordedCall,
  req: Request,
  { audit }: Context,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'forbidden') {
      await readDenied(audit, route, call, req.path);
    }
    throw error;
  }
}

async function send(
  { endpoint, isCompressed }: Route,
  req: Request,
  res: Response,
  slices: Slices,
  body: unknown,
  options: BindingOptions,
): Promise<void> {
  // The stream starts anyway, so that its producer learns that nobody reads.
  if (res.destroyed && endpoint.stream !== true) return;
  if (endpoint.response === undefined) {
    sendEmpty(res);
    return;
  }
  if (endpoint.stream === true) {
    endWithSession(req, res, options.context);
    await streams(slices.asker.name, () =>
      sendLines(res, slices, body as AsyncIterable<unknown>, (line) => {
        if (options.checkAnswers && endpoint.response !== undefined) z.parse(endpoint.response, line);
      }),
    );
    return;
  }
  if (options.checkAnswers) z.parse(endpoint.response, body);
  if (isCompressed) await sendCompressed(req, res, body);
  else sendJson(res, 200, body);
}

/** The session of a request, or why there is none. */
interface Known {
  readonly session?: ActiveSession;
  readonly signedOut?: SignedOutReason;
}

/**
 * The session of the request's cookie, for all routes that need it.
 * @param isAnonymous whether the request is answered without a session, and with any user's
 * @throws ProblemError `unauthenticated` if there is none, or it belongs to another user than the page
 */
export function authenticate(req: Request, context: Context): Promise<{ readonly session: ActiveSession }>;
export function authenticate(req: Request, context: Context, isAnonymous?: boolean): Promise<Known>;
export async function authenticate(req: Request, context: Context, isAnonymous = false): Promise<Known> {
  const { session, reason } = await context.sessions.resolve(context.cookie.read(req.headers, portOf(req)), {
    activity: req.headers[pollHeader.name] !== pollHeader.value,
    ...(!isAnonymous && { page: req.headers[personHeader] }),
  });
  if (session !== undefined) return { session };
  if (isAnonymous && reason !== 'other-person') return { signedOut: reason };
  throw new ProblemError('unauthenticated', signedOutWords[reason], { signedOut: reason });
}

const signedOutWords = {
  none: 'Sign in to continue.',
  idle: 'You were signed out because of inactivity. Sign in to continue.',
  expired: 'Your session expired. Sign in to continue.',
  ended: 'Your session was ended. Sign in to continue.',
  'other-person': 'This browser is now signed in as someone else. Reload the page.',
} as const;

/** Whether a body may exceed what is read from any signed-in user. */
function isLarge({ bodyLimitBytes = jsonLimitBytes }: EndpointDefinition, req: Request): boolean {
  return bodyLimitBytes > jsonLimitBytes && isLargeBody(req);
}

/**
 * Reading a large body takes time from others, so it is read only from users who may get an answer.
 * @throws ProblemError
 */
async function requireConnection(
  { services }: Route,
  req: Request,
  session: ActiveSession,
  context: Context,
): Promise<void> {
  const params = { environment: String(req.params['environment']) };
  const found = await Promise.allSettled(
    services.map((one) => serviceToken(context, { params, session }, one)),
  );
  if (found.length === 0 || found.some(({ status }) => status === 'fulfilled')) return;
  const reasons = found.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  // Browsers read an answer only after they have sent the whole body.
  await passOver(req);
  // This reason is more useful than that the environment lacks the other service.
  throw reasons.find((one) => one instanceof ProblemError && one.code === 'not-connected') ?? reasons[0];
}

/** For all environments, which share the memory. */
const inTurn = bodyTurns();

/**
 * Turns of reads, as many at once per user and service as a page needs: each keeps a service's answer in memory, and
 * requests to services that begin together delay others. A service that doesn't answer holds up only its own.
 */
const reads = turns({ atOnce: Infinity, ownAtOnce: 24, mostOwn: Infinity, mostWaiting: Infinity });

const mostUnrecorded = 48;

/**
 * Calls with a body that aren't recorded, at once per user and service. None waits here, because each keeps its body;
 * those that wait elsewhere for each other are counted.
 */
const unrecordedInTurn = turns({
  atOnce: Infinity,
  ownAtOnce: mostUnrecorded,
  mostOwn: 0,
  mostWaiting: Infinity,
});

/** Runs a call that isn't recorded. @throws ProblemError `rate-limited` if too many of the user's are being answered */
const unrecorded: InTurn = async (line, work, signal) => {
  try {
    return await unrecordedInTurn(line, work, signal);
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    throw new ProblemError(
      'rate-limited',
      `${mostUnrecorded} of your requests are still being answered. Send this one when they are done.`,
      { retryAfterSeconds: 5, cause: error },
    );
  }
};

/** Turns of streamed answers: each keeps in memory what its client hasn't read. */
const streams = turns({ atOnce: Infinity, ownAtOnce: 16, mostOwn: Infinity, mostWaiting: Infinity });

/** How often the session of an answer or body that takes long is looked at, in milliseconds. */
const sessionCheckMs = 2_000;

/** Cuts off an answer, or a body that arrives, once its session was ended. One that only expires may be completed. */
export function endWithSession(req: Request, res: Response, { sessions, cookie }: Context): void {
  // The event that ends the timer has passed.
  if (res.closed) return;
  const id = cookie.read(req.headers, portOf(req));
  const timer = setInterval(() => {
    sessions.resolve(id, { activity: false }).then(
      ({ reason }) => {
        if (reason === 'none' || reason === 'ended') res.destroy();
      },
      // Unknown: the store doesn't answer.
      () => undefined,
    );
  }, sessionCheckMs).unref();
  res.once('close', () => clearInterval(timer));
}

/** Reads the body. A large one is parsed and checked in a turn of its own. */
async function readBody(
  req: Request,
  res: Response,
  asker: Asker,
  limitBytes = jsonLimitBytes,
): Promise<void> {
  await jsonBody({ limitBytes, askerOf: () => asker })(req, res, () => undefined);
}

/** Who sent a request. */
export function callerOf(req: Request, res: Response, peers: Peers): Caller {
  let abort: AbortController | undefined;
  return {
    requestId: res.locals.requestId ?? '',
    address: peers.addressOf(req),
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 300),
    port: portOf(req),
    // Created on first use, because most operations never need it.
    get signal() {
      if (abort === undefined) {
        const controller = new AbortController();
        abort = controller;
        const closed = (): void => {
          if (!res.writableFinished) controller.abort();
        };
        // The caller may have left while the session was read.
        if (res.closed) closed();
        else res.once('close', closed);
      }
      return abort.signal;
    },
    setCookie: (value) => void res.appendHeader('Set-Cookie', value),
  };
}

/**
 * The port that the browser connected to, from the Host header, or http's own. Over https it isn't part of a cookie's
 * name.
 */
export function portOf(req: Request): number {
  const port = /:(\d{1,5})$/.exec(req.headers.host ?? '')?.[1];
  return port === undefined ? 80 : Number(port);
}
