/** The console's server: configuration → context → application. */
import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import { isLoopback } from '@gatehouse/service-kit/client-address';
import { systemClock, type Clock } from '@gatehouse/service-kit/clock';
import { createApp, errorHandler, sendJson } from '@gatehouse/service-kit/http';
import { requestId, requestLog, silentLog, type Log } from '@gatehouse/service-kit/log';
import { rateLimiter } from '@gatehouse/service-kit/rate-limit';
import { keyRingFromEnvironment, keyRingFromFile, type KeyRing } from '@gatehouse/service-kit/secret-box';
import { Slices, isTurnOver, probeTurn, type Asker } from '@gatehouse/service-kit/slices';
import type { NextFunction, Request, Response } from 'express';
import { atMost } from '#ground/pause.ts';
import { createUpkeep } from '#ground/upkeep.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { operations } from './api/operations.ts';
import { activity } from './audit/activity.ts';
import { auditChain } from './audit/chain.ts';
import { auditKeys } from './audit/keys.ts';
import { auditTrail } from './audit/trail.ts';
import { ConfigError } from './config/config-error.ts';
import { destinationOf, environmentsMark, servesHttps, type Config } from './config/config.ts';
import { checkExposure } from './config/exposure.ts';
import { shareTurns } from './conflict/turns-among-consoles.ts';
import { problemBody, ProblemError } from './ground/problem.ts';
import { bindContract, portOf } from './http/binding.ts';
import { addDownloads } from './http/downloads.ts';
import { guards } from './http/guards.ts';
import { addOpenApi } from './http/openapi.ts';
import { loadPage } from './http/page.ts';
import { peers } from './http/peer.ts';
import { securityHeaders } from './http/security-headers.ts';
import { addUploads } from './http/uploads.ts';
import { createRoom } from './moves/copy/room.ts';
import { createMoveJobs } from './moves/jobs.ts';
import { createMoveChoices } from './moves/plan/choosing.ts';
import { createAddresses } from './moves/rows/addresses.ts';
import { createItems } from './moves/rows/items.ts';
import { createMoves } from './moves/rows/moves.ts';
import { createPieces } from './moves/rows/pieces.ts';
import { createMoveReading } from './moves/rows/reading.ts';
import type { Context } from './operation/context.ts';
import { connections } from './session/connections.ts';
import { sessionCookie } from './session/cookie.ts';
import { preferences } from './session/preferences.ts';
import { renewals } from './session/renewals.ts';
import { revocations } from './session/revocations.ts';
import { sessions } from './session/sessions.ts';
import { signInLimits } from './session/sign-in-limits.ts';
import { tokenSeal } from './session/token-seal.ts';
import { createSources } from './sources/sources.ts';
import type { Database } from './store/database.ts';
import { openSqlite } from './store/sqlite.ts';
import { createDeliveries } from './uploads/deliveries.ts';
import { watchFolder } from './uploads/folder-watch.ts';
import { createPublishing } from './uploads/publishing.ts';
import { createRuns } from './uploads/runs.ts';
import { createSpool } from './uploads/spool.ts';
import { createUploads } from './uploads/uploads.ts';
import { createDirectory } from './upstreams/directory.ts';
import { createHealth, troublesOf } from './upstreams/health.ts';
import { knownClusters } from './upstreams/known-clusters.ts';
import { secretDates } from './upstreams/secret-dates.ts';
import { createReplicas } from './upstreams/secrets-server/replicas.ts';
import { ServiceError } from './upstreams/service-error.ts';
import type { TransportLimits } from './upstreams/transport.ts';

/** What `createBff` needs. */
export interface BffOptions {
  readonly config: Config;
  /** Folder of the database and, unless configured elsewhere, the key ring. Created if missing. */
  readonly dataDir: string;
  /** Folder of the built page. Without it only the API is served. */
  readonly webRoot?: string;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Whether answers are validated, in development and tests. */
  readonly checkAnswers?: boolean;
  /** Deadlines and limits of calls to services, if they differ from the usual ones. */
  readonly limits?: Partial<TransportLimits>;
  /** Pauses before retries of an interrupted delivery, in milliseconds, if they differ. */
  readonly retryDelaysMs?: readonly number[];
  /** Time between two heartbeats of work of one of several consoles, in milliseconds, if it differs. */
  readonly heartbeatMs?: number;
  /** Longest wait for another process to release the SQLite file, in milliseconds, if it differs. */
  readonly busyDeadlineMs?: number;
  /** Longest wait for a disk that doesn't answer, in milliseconds, if it differs. */
  readonly patienceMs?: number;
}

/** The console's server. `listen` of service-kit makes it listen. */
export type Bff = Awaited<ReturnType<typeof createBff>>;

/** Frequent comparisons could guess a value: a few at once, then one every ten seconds. */
const comparisonLimit = { burst: 10, perSecond: 0.1 };

/** Time between two sweeps of sessions and retries of revocations, in milliseconds. */
const upkeepEvery = 60_000;

/**
 * Creates the console's server.
 * @throws ConfigError, StoreUnavailable or KeyRingRefused if it can't start with these options
 */
export async function createBff(options: BffOptions) {
  const { config, dataDir, clock = systemClock, log = silentLog, patienceMs } = options;
  checkExposure(config.console);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const https = servesHttps(config);
  const security = securityHeaders(https);
  const servicesOf = (environment: string): readonly ServiceName[] | undefined => {
    const configured = config.environments.find(({ id }) => id === environment)?.services;
    return configured && serviceNames.filter((name) => configured[name] !== undefined);
  };
  const page = options.webRoot === undefined ? undefined : loadPage(options.webRoot, security, servicesOf);

  const seal = tokenSeal(
    () => loadKeys(config, dataDir),
    clock,
    (environment, service) => destinationOf(config, environment, service),
  );
  const database = await openDatabase(config, dataDir, options.busyDeadlineMs);
  const heartbeat = options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs };
  const leaveTurns = shareTurns(config, { database, clock, log, ...heartbeat });
  const directory = createDirectory(config, clock, options.limits);
  const queue = revocations({
    database,
    clock,
    seal,
    log,
    serviceOf: (environment, service) =>
      directory.all.find((one) => one.environment === environment && one.service === service),
    ...heartbeat,
  });
  const kept = connections(database, clock, seal, queue);
  const begun = sessions(database, clock, config.environments, queue, (id) => kept.forget(id));
  const renewing = renewals({ directory, connections: kept, sessions: begun, clock, log });
  const trailKeys = await auditKeys(database, seal, clock);
  const chain = auditChain(database, trailKeys.current, log);
  const audit = auditTrail({ environments: config.environments, database, chain, seal, clock, log });
  const spoolOptions = { folder: join(dataDir, 'uploads'), ...config.uploads };
  const spool = createSpool(spoolOptions);
  const identity = { auditKeyId: trailKeys.current.id, environments: environmentsMark(config) };
  const uploadsFolder = watchFolder(spoolOptions, database, clock, log, identity, patienceMs);
  const uploads = createUploads(database, clock, spool, config.environments);
  const moveAddresses = createAddresses(database, seal);
  const movePieces = createPieces(database, clock, moveAddresses);
  const runs = createRuns(database, clock, seal);
  const deliveries = createDeliveries({
    database,
    clock,
    seal,
    log,
    directory,
    spool,
    uploads,
    runs,
    revocations: queue,
    ...(options.retryDelaysMs !== undefined && { retryDelaysMs: options.retryDelaysMs }),
    ...heartbeat,
    patienceMs,
  });
  const sources = createSources({ clock, moves: config.moves });
  const moves = createMoves(database, clock);
  const moveItems = createItems(database, clock, moveAddresses);
  const moveJobs = createMoveJobs({
    environments: config.environments,
    database,
    clock,
    seal,
    log,
    audit,
    directory,
    sources,
    spool,
    moves,
    items: moveItems,
    pieces: movePieces,
    addresses: moveAddresses,
    checkRoom: createRoom(database, spool, config.environments),
    revocations: queue,
    ...(options.retryDelaysMs !== undefined && { retryDelaysMs: options.retryDelaysMs }),
    ...heartbeat,
    patienceMs,
  });
  const context: Context = {
    sources,
    moves,
    moveChoices: createMoveChoices(database, clock, moves),
    moveItems,
    movePieces,
    moveReading: createMoveReading(database),
    moveJobs,
    runs,
    spool,
    uploads,
    deliveries,
    publishing: createPublishing({ uploads, runs, deliveries, connections: kept }),
    config,
    clock,
    log,
    version: page === undefined ? manifest.version : `${manifest.version}+${page.digest}`,
    cookie: sessionCookie(https),
    sessions: begun,
    connections: kept,
    revocations: queue,
    renewals: renewing,
    limits: signInLimits(database, clock, config.environments),
    comparisons: rateLimiter(comparisonLimit, clock),
    preferences: preferences(database),
    audit,
    activity: activity(database, chain, audit, clock, trailKeys),
    directory,
    health: createHealth(clock),
    knownClusters: knownClusters(database, clock),
    replicasOf: createReplicas(config, directory),
    secretDates: secretDates(database, log),
    seal,
  };

  const embedded = directory.all.filter(({ config: { endpoint } }) => endpoint.kind === 'socket');
  let draining = false;
  /** Whether the console can answer, with what doesn't work; undefined if it can't answer. */
  const troubles = async (): Promise<readonly string[] | undefined> => {
    if (draining || !(await database.healthy())) return undefined;
    const found = await troublesOf(embedded, context.health);
    return found?.concat(uploadsFolder.problems());
  };
  const logFailed = (error: unknown): void => log.error('upkeep', { error });
  let revoking = Promise.resolve();
  const checkFolder = () => uploadsFolder.check();
  const resumeDeliveries = () => deliveries.resume();
  const rounds = createUpkeep(
    [
      () => context.sessions.sweep(),
      () => {
        // Services may be slow to answer.
        revoking = queue.run().catch(logFailed);
      },
      checkFolder,
      () => context.limits.sweep(),
      () => audit.retry(),
      () => audit.sweep(),
      () => uploads.sweep(),
      () => uploadsFolder.isOwn() && uploads.sweepFiles(() => movePieces.inSpool()),
      () => runs.sweep(),
      resumeDeliveries,
      () => moves.sweep(),
      async () => {
        for (const piece of await movePieces.expire()) await spool.remove(piece);
      },
      () => moveJobs.resume(),
    ],
    log,
    patienceMs,
  );
  const upkeep = (): Promise<void> => rounds.run().then(() => revoking);
  const timer = setInterval(() => void upkeep(), upkeepEvery);
  timer.unref();
  await kept.renewSeals();
  await deliveries.renewSeals();
  await runs.renewSeals();
  await moveAddresses.renew();
  await moveJobs.renewSeals();
  // A disk that no longer answers doesn't hold up the start.
  await rounds.run([checkFolder, resumeDeliveries]);
  await moveJobs.resume();
  const { handler, settled } = application(context, {
    troubles,
    security,
    page,
    checkAnswers: options.checkAnswers ?? false,
  });

  return {
    version: context.version,
    handler,
    /** Whether the console and all embedded services can answer. */
    ready: async (): Promise<boolean> => (await troubles()) !== undefined,
    /** From now on /healthz answers 503, so that no new work is sent. Requests are still answered. */
    drain(): void {
      draining = true;
    },
    /** Ends expired sessions and revokes due tokens. Also done automatically every minute. */
    upkeep,
    /**
     * Immediately ends the sessions of a user of this installation, whichever service they signed in at; if that fails,
     * each upkeep tries again.
     * @param why the user has another password, or can no longer sign in
     * @param until only sessions that began by then are ended
     */
    async endSessionsOf(accountId: string, why: 'password' | 'gone', until?: number): Promise<void> {
      const [place] = embedded;
      if (place === undefined) return;
      await begun[why === 'gone' ? 'endOfAccount' : 'endOfPassword'](place, accountId, { until });
    },
    /**
     * Stops everything and closes it. Work that hangs at the disk is waited for only a while. Requests fail afterwards;
     * deliveries and moves are continued by other processes or the next start.
     */
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all([atMost(settled(), patienceMs), rounds.close()]);
      await Promise.all([deliveries.close(), moveJobs.close()]);
      await sources.close();
      await queue.close();
      await revoking;
      await renewing.settled();
      await directory.close();
      await audit.close();
      await uploadsFolder.leave().catch(logFailed);
      leaveTurns();
      await database.close();
    },
  };
}

/** Refusals that suggest guessing, or another site's requests. */
const watched: ReadonlySet<string> = new Set([
  'sign-in-failed',
  'rate-limited',
  'origin-refused',
  'host-refused',
  'forbidden',
]);

interface ApplicationParts {
  readonly troubles: () => Promise<readonly string[] | undefined>;
  readonly security: ReturnType<typeof securityHeaders>;
  readonly page: ReturnType<typeof loadPage> | undefined;
  readonly checkAnswers: boolean;
}

function application(
  context: Context,
  { troubles, security, page, checkAnswers }: ApplicationParts,
): { readonly handler: RequestListener; readonly settled: () => Promise<void> } {
  const { config, log, clock } = context;
  const app = createApp();
  app.use(requestId());
  app.use(requestLog(log, clock));
  app.use((_req, res, next) => {
    for (const [name, value] of Object.entries(security.data)) res.setHeader(name, value);
    next();
  });

  const seenPeers = peers(config.console.trustedProxies);
  // Probes call by address, and get only a word. A console that does most of its work still gets requests.
  app.all('/healthz', async (req, res) => {
    await probeTurn(seenPeers.addressOf(req), () => res.destroyed);
    const problems = await troubles();
    if (problems === undefined) sendJson(res, 503, { status: 'unavailable' });
    else if (problems.length === 0) sendJson(res, 200, { status: 'ok' });
    else sendJson(res, 200, { status: 'degraded', problems });
  });

  const askerOf = async (req: Request): Promise<Asker> => {
    const id = await userOf(req, context);
    return id === undefined ? seenPeers.strangerOf(req) : { name: id, isKnown: true };
  };
  const guard = guards({
    peers: seenPeers,
    allowedHosts: [
      ...config.console.allowedHosts,
      ...(config.console.publicUrl === undefined ? [] : [config.console.publicUrl.host]),
      ...named(config),
    ],
    loopback: isLoopback(config.console.host),
    https: servesHttps(config),
  });
  app.use(async (req, res, next) => {
    const refusal = guard.hostRefusal(req);
    // A refused request is a stranger's without the lookup that tells users from strangers.
    const asker = () => (refusal === undefined ? askerOf(req) : seenPeers.strangerOf(req));
    if (isTurnOver()) await new Slices(() => res.destroyed, await asker()).giveWay();
    next(refusal);
  });
  bindContract(app, { context, operations, guards: guard, peers: seenPeers, checkAnswers });
  const doubtService = ({ init: { environment, service } }: ServiceError): void => {
    if (service !== undefined) context.health.doubt(environment, service);
  };
  const logProblem = (error: ProblemError, req: Request, res: Response): void => {
    const { requestId } = res.locals;
    const { service } = error.init;
    const known = { code: error.code, ...(service !== undefined && { upstream: service }) };
    // Requests that a leaving browser aborted aren't a service's failure.
    if (error.status >= 500 && !res.closed)
      log.warn('failed', { ...known, ...(requestId !== undefined && { requestId }), error });
    else if (watched.has(error.code)) res.locals.refused = { ...known, address: seenPeers.addressOf(req) };
  };
  /** Waits for a turn: hundreds of files requested by strangers at once would delay everybody until all are written. */
  const turnFor = (req: Request, res: Response): Promise<void> =>
    new Slices(() => res.destroyed, seenPeers.strangerOf(req)).giveWay();
  addOpenApi(app, { version: context.version, guards: guard, turnFor });
  addDownloads(app, context);
  const settled = addUploads(app, context, guard);
  app.use('/api', (req) => {
    guard.checkOrigin(req);
    throw new ProblemError('not-found', 'The API has no such path.');
  });
  app.use(async (req, res) => {
    if (page === undefined)
      throw new ProblemError('not-found', 'This console serves only the API, not the page.');
    await turnFor(req, res);
    await page.serve(req, res, async () => (await userOf(req, context)) !== undefined);
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    if (error instanceof ProblemError) logProblem(error, req, res);
    if (error instanceof ServiceError && error.status >= 500 && !res.closed) doubtService(error);
    next(error);
  });
  app.use(
    errorHandler({
      contentType: 'application/problem+json; charset=utf-8',
      toBody: (error, req) => problemBody(error, req.res?.locals.requestId ?? ''),
      onUnexpected: (error, _req, res) =>
        log.error('unexpected', {
          error,
          ...(res.locals.requestId !== undefined && { requestId: res.locals.requestId }),
        }),
    }),
  );
  return { handler: app, settled };
}

/** Who sent a request, which doesn't count as activity. Without a store, nobody: the page reports what is wrong. */
async function userOf(req: Request, { cookie, sessions: known, log }: Context): Promise<string | undefined> {
  try {
    const { session } = await known.resolve(cookie.read(req.headers, portOf(req)), { activity: false });
    return session?.account;
  } catch (error) {
    log.warn('failed', { error });
    return undefined;
  }
}

/** A console that listens under a name or a fixed address answers to it. */
function named({ console }: Config): string[] {
  return console.host === '0.0.0.0' || console.host === '::' ? [] : [console.host];
}

/** PostgreSQL's client is loaded only if it is used. @throws ConfigError one line, if PostgreSQL can't be used */
async function openDatabase(
  { databaseUrl }: Config,
  dataDir: string,
  busyDeadlineMs: number | undefined,
): Promise<Database> {
  if (databaseUrl === undefined) return openSqlite(join(dataDir, 'console.db'), busyDeadlineMs);
  const { openPostgres } = await import('./store/postgres.ts');
  return openPostgres(databaseUrl).catch((cause: Error) => {
    throw new ConfigError(`database.url: ${cause.message}`, { cause });
  });
}

function loadKeys({ keys }: Config, dataDir: string): KeyRing {
  if (keys === undefined) return keyRingFromFile(join(dataDir, 'console-keys.json'));
  return 'file' in keys ? keyRingFromFile(keys.file) : keyRingFromEnvironment(keys.variable, keys.text);
}
