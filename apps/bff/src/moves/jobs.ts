/**
 * The work on moves. Each move runs with its own tokens until it rests. Its progress is in the database, so that
 * another process can continue it.
 */
import type { MoveState } from '@gatehouse/api-types/console/move-values';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { Slices } from '@gatehouse/service-kit/slices';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { turns } from '@gatehouse/service-kit/turns';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { partOf } from '#audit/recording.ts';
import type { AuditTrail, Deed, Result } from '#audit/trail.ts';
import type { EnvironmentConfig } from '#config/config.ts';
import { pause, stopping } from '#ground/pause.ts';
import { ProblemError } from '#ground/problem.ts';
import type { KeptToken } from '#session/connections.ts';
import { countedAccount } from '#session/people.ts';
import type { Revocations } from '#session/revocations.ts';
import { renewSeals, type TokenPlace, type TokenSeal } from '#session/token-seal.ts';
import type { Sources } from '#sources/sources.ts';
import type { Database } from '#store/database.ts';
import { createHolder, hasNotEnded, type WorkOf } from '#store/lease.ts';
import type { MoveRow } from '#store/schema.ts';
import { ReleasedSince } from '#uploads/deliver-image.ts';
import type { Spool } from '#uploads/spool.ts';
import { callAs as callBoxes } from '#upstreams/box-registry/client.ts';
import type { Directory } from '#upstreams/directory.ts';
import { callAs as callModules } from '#upstreams/module-registry/client.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { copyMove } from './copy/copier.ts';
import { PauseMove } from './copy/pause-move.ts';
import { createRate } from './copy/rate.ts';
import { createReach } from './copy/reach.ts';
import type { Reception } from './copy/receive.ts';
import type { Job, Registries } from './job.ts';
import { createPlaces, mostAtOnce } from './places.ts';
import { planMove } from './plan/planner.ts';
import type { Addresses } from './rows/addresses.ts';
import type { Items } from './rows/items.ts';
import type { Moves, RestingState } from './rows/moves.ts';
import { createPieces, type Pieces } from './rows/pieces.ts';

/** Who starts a move, and with which tokens. */
export interface Starter {
  readonly personId: string;
  readonly personName: string;
  readonly sessionId: string;
  readonly token: KeptToken;
  /** For the source; empty for none. */
  readonly sourceToken: string;
  readonly requestId: string;
}

/** A change that gives a move its new owner's tokens. */
type Taken = Parameters<Moves['takeOver']>[2];

export interface MoveJobs {
  /**
   * Continues a move that rests in one of these states. The move keeps these tokens until it rests again. A move that
   * is taken over is planned again with what the new owner's tokens show, and received bytes of images that these show
   * too are kept.
   * @param judged the move as the caller's right was judged
   * @param to the new state, and further changes
   * @returns false if the move didn't rest in one of these states, with the same owner and the same reason, the session
   *   has ended, or a move to take over has changed
   */
  begin(
    judged: Pick<MoveRow, 'id' | 'person_id' | 'pause_reason' | 'revision'>,
    from: readonly MoveState[],
    to: { readonly state: 'planning' | 'copying' } & Partial<MoveRow>,
    by: Starter,
  ): Promise<boolean>;
  /**
   * Stops a move, waits a while for its work to end, and lets it rest.
   * @returns whether it was running, or resting if it is to be abandoned
   */
  rest(id: string, to: Exclude<RestingState, { readonly state: 'planned' | 'done' }>): Promise<boolean>;
  /** Pauses running moves. @param why for everyone who sees them. @returns how many */
  pauseOf(of: WorkOf, why: string): Promise<number>;
  /** Continues moves that no process works on. */
  resume(): Promise<void>;
  /** The recent rate in bytes per second; null if nothing is received, or another process receives it. */
  rateOf(id: string): number | null;
  /** Encrypts tokens under the newest key. */
  renewSeals(): Promise<void>;
  /** Stops all moves of this process. Other processes, or the next start, continue them. */
  close(): Promise<void>;
}

export interface JobParts {
  readonly environments: readonly EnvironmentConfig[];
  readonly database: Database;
  readonly clock: Clock;
  readonly seal: TokenSeal;
  readonly log: Log;
  readonly audit: Pick<AuditTrail, 'intend' | 'conclude'>;
  readonly directory: Directory;
  readonly sources: Sources;
  readonly spool: Spool;
  readonly moves: Moves;
  readonly items: Items;
  readonly pieces: Pieces;
  readonly addresses: Addresses;
  readonly checkRoom: Reception['checkRoom'];
  readonly revocations: Pick<Revocations, 'wake'>;
  /** Pauses between attempts, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
  /** Time between two heartbeats, in milliseconds. */
  readonly heartbeatMs?: number;
  /** How long others wait for work that hangs, if not as long as usual, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

const usualDelays = [1_000, 3_000, 10_000, 30_000, 60_000] as const;
const working = ['planning', 'copying'] as const;

export function createMoveJobs(parts: JobParts): MoveJobs {
  const { database, clock, seal, log, audit, directory, sources, moves, pieces, spool, revocations } = parts;
  const { build } = database;
  const holder = createHolder('move', parts);
  // One of an account at a time, and as many as moves run, so that no account waits for another's source.
  const largeInTurn = turns({
    atOnce: mostAtOnce,
    ownAtOnce: 1,
    mostOwn: Infinity,
    mostWaiting: Infinity,
  });
  const planning = { ...parts, largeInTurn };
  const copying = { ...parts, pieces: createPieces(database, clock, parts.addresses, holder.worker) };
  const running = new Map<
    string,
    {
      readonly stop: () => Promise<void>;
      readonly rate: ReturnType<typeof createRate>;
    }
  >();
  const places = createPlaces((personId) => countedAccount(parts.environments, personId));
  /** Moves that are being stopped. */
  const resting = new Set<string>();
  let closed = false;

  const placeOf = (move: Pick<MoveRow, 'id' | 'environment' | 'kind'>): TokenPlace => ({
    sessionId: move.id,
    environment: move.environment,
    service: move.kind,
  });
  /** Bound to the source's address, so the token isn't sent to another one. */
  const sourcePlaceOf = (move: Pick<MoveRow, 'id' | 'environment' | 'address'>): TokenPlace => ({
    sessionId: move.id,
    environment: move.environment,
    service: `source ${move.address}`,
  });

  /** Claims a move that this process may work on: with several consoles, one that can use the token. */
  const claim = async (id: string) => {
    const move = await moves.find(id);
    if (move === undefined) return undefined;
    const isOurs = (await holder.isForAny(move)) || seal.opens(move.sealed_token ?? '', placeOf(move));
    return isOurs ? holder.claim(id) : undefined;
  };

  /** Works on a move if its account has a place for it. Hundreds may wait, so only one with a place is read. */
  const run = async (move: Pick<MoveRow, 'id' | 'person_id'>): Promise<void> => {
    const { id } = move;
    if (closed || places.has(id) || resting.has(id) || !places.take(move)) return;
    const whileClaimed = await claim(id).catch((error: unknown) => {
      places.leave(id);
      throw error;
    });
    if (whileClaimed === undefined || closed || resting.has(id)) {
      places.leave(id);
      return;
    }
    const abort = new AbortController();
    const rate = createRate();
    const done = whileClaimed(abort, () => work(id, abort.signal, rate.add))
      .catch((error: unknown) => log.error('move', { error }))
      .finally(() => {
        running.delete(id);
        places.leave(id);
        // The next move has its turn.
        if (!closed) resume().catch((error: unknown) => log.error('move', { error }));
      });
    running.set(id, { stop: stopping(abort, done, parts.patienceMs), rate });
  };

  const resume = async (): Promise<void> => {
    const rows = await database.all(
      build
        .selectFrom('move')
        .select(['id', 'person_id'])
        .where('state', 'in', [...working])
        .where('sealed_token', 'is not', null)
        .orderBy('created_at')
        .compile(),
    );
    const slices = new Slices(() => false, { name: 'resumed moves', isKnown: true });
    for (const move of places.order(rows)) {
      await slices.giveWay();
      await run(move).catch((error: unknown) => log.error('move', { error }));
    }
  };

  const registriesOf = (
    move: MoveRow,
    token: string,
    sourceToken: string,
    signal: AbortSignal,
  ): Registries => {
    const address = new URL(move.address);
    const options = { token, username: move.username ?? '', signal };
    return move.kind === 'boxes'
      ? {
          kind: 'boxes',
          source: sources.boxes(address, sourceToken),
          caller: callBoxes(directory.boxes(move.environment), options),
        }
      : {
          kind: 'modules',
          source: sources.modules(address, sourceToken),
          caller: callModules(directory.modules(move.environment), options),
        };
  };

  const open = async (move: MoveRow, stopped: AbortSignal, received: Job['received']): Promise<Job> => {
    const canceled = new AbortController();
    const signal = AbortSignal.any([stopped, canceled.signal]);
    const sourceToken = move.sealed_source === null ? '' : seal.open(move.sealed_source, sourcePlaceOf(move));
    const token = seal.open(move.sealed_token ?? '', placeOf(move));
    const reach = (who: string) =>
      createReach({
        who,
        clock,
        signal,
        delaysMs: parts.retryDelaysMs ?? usualDelays,
        waits: async (until) => {
          await moves.change(move.id, working, { waits_until: until }, move.worker);
        },
      });
    const slices = new Slices(() => signal.aborted, {
      name: countedAccount(parts.environments, move.person_id),
      isKnown: true,
    });
    await slices.giveWay();
    return {
      move,
      choice: await moves.choice(move.id),
      usedToken: sourceToken !== '',
      registries: registriesOf(move, token, sourceToken, signal),
      there: reach('The source'),
      here: reach('The registry here'),
      signal,
      slices,
      cancel: () => canceled.abort(new Error('the move was paused')),
      change: async ({ paths, ...change }, { operation, params, body = {} }, work) => {
        const part = { ...change, paths: [`move=${move.id}`, ...paths] };
        const { environment } = move;
        const wish = { operation, params: { ...params, environment }, body: { ...body }, revision: null };
        const intent = await audit.intend(partOf(deedOf(move), part), wish);
        const conclude = (result: Pick<Result, 'outcome' | 'problem' | 'revisionAfter'>): Promise<void> =>
          audit.conclude(intent, { ...result, learned: {} });
        try {
          const revisionAfter = await work();
          await conclude({ outcome: 'succeeded', problem: null, revisionAfter });
        } catch (error) {
          const isUnknown =
            error instanceof ServiceError ? error.delivery === 'unknown' : !(error instanceof ReleasedSince);
          const problem = error instanceof ProblemError ? error.code : 'internal';
          await conclude({ outcome: isUnknown ? 'unknown' : 'failed', problem, revisionAfter: null });
          throw error;
        }
      },
      received,
    };
  };

  const work = async (id: string, signal: AbortSignal, received: Job['received']): Promise<void> => {
    const move = await moves.find(id);
    if (move?.worker !== holder.worker) return;
    const { worker } = move;
    try {
      const job = await open(move, signal, received);
      if (move.state === 'planning') {
        await planMove(planning, job);
        if (!(await moves.change(id, ['planning'], { planned_at: clock.now(), unapplied: 0 }, worker)))
          return;
        for (const piece of await pieces.dropKept(id)) await spool.remove(piece);
        await moves.countChange(id);
        await moves.log(id, 'Both registries were read.');
        await moves.rest(id, ['planning'], { state: 'planned' }, worker);
      } else {
        do {
          await copyMove(copying, job);
          if (!(await holder.extend(id))) return;
          await moves.log(id, 'Copying finished.');
          // Pieces may be retried until the very end.
        } while (!(await moves.rest(id, ['copying'], { state: 'done' }, worker)));
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        // The move keeps its tokens, and is continued.
        log.warn('move', { error });
        await pause((parts.retryDelaysMs ?? usualDelays)[0] ?? 0, signal);
        return;
      }
      // The one who stops the move sets its state.
      if (signal.aborted || !(await holder.extend(id))) return;
      const paused = pauseFor(error);
      if (!(error instanceof PauseMove)) log.error('move', { error });
      await moves.log(id, paused.message, { failed: true });
      const to = { state: 'paused', reason: paused.reason, detail: paused.message } as const;
      if (!(await moves.rest(id, working, to, worker))) return;
      if (move.state === 'copying') await pieces.wait(id);
    }
    revocations.wake();
  };

  const rest: MoveJobs['rest'] = async (id, to) => {
    const isEnd = to.state === 'abandoned';
    const from = isEnd ? ([...working, 'planned', 'paused', 'done'] as const) : working;
    let rested: boolean;
    resting.add(id);
    try {
      await running.get(id)?.stop();
      rested = await moves.rest(id, from, to);
    } finally {
      resting.delete(id);
    }
    if (rested) {
      const copying = (await moves.find(id))?.pause_while === 'copying';
      if (copying) await pieces.wait(id);
      if (isEnd) for (const piece of await pieces.drop(id)) void spool.remove(piece);
    }
    revocations.wake();
    return rested;
  };

  const takeOver = async (
    move: MoveRow,
    from: readonly MoveState[],
    to: Taken,
    only: RawBuilder<SqlBool>,
  ): Promise<boolean> => {
    const { id } = move;
    // It is planned again, with what the new owner's tokens show.
    const all = { ...to, state: 'planning', expanded: 0, planned_at: null } as const;
    // An image's address and checksum prove that it is the same for the next owner; a module has none.
    if (move.kind === 'boxes') return moves.takeOver(id, from, all, only, await pieces.keeping(id));
    const spooled = await pieces.spooled(id);
    if (!(await moves.takeOver(id, from, all, only, () => []))) return false;
    for (const piece of spooled) void spool.remove(piece);
    return true;
  };

  return {
    async begin({ id, person_id: owner, pause_reason: reason, revision }, from, to, by) {
      const move = await moves.find(id);
      if (move === undefined) return false;
      const { personId, personName, sessionId, token, sourceToken, requestId } = by;
      const isTaken = move.person_id !== personId;
      resting.add(id);
      try {
        const taken = {
          pause_reason: null,
          pause_detail: null,
          pause_while: null,
          person_id: personId,
          person_name: personName,
          session_id: sessionId,
          request_id: requestId,
          token_id: token.tokenId,
          sealed_token: seal.seal(token.token, placeOf(move)),
          username: token.accountId,
          used_token: sourceToken === '' ? 0 : 1,
          sealed_source: sourceToken === '' ? null : seal.seal(sourceToken, sourcePlaceOf(move)),
          ...to,
        };
        const same = sql<SqlBool>`person_id = ${owner} and coalesce(pause_reason, '') = ${reason ?? ''}
          and ${hasNotEnded(database, sessionId)}`;
        // What isn't chosen must not be copied.
        const applied = sql<SqlBool>`${same} and unapplied = 0`;
        const changed = isTaken
          ? // Its choice was judged too, and is stored again as it was.
            takeOver(move, from, taken, sql`${same} and revision = ${revision}`)
          : moves.change(id, from, taken, undefined, to.state === 'copying' ? applied : same);
        if (!(await changed)) return false;
      } finally {
        resting.delete(id);
      }
      await run({ id, person_id: personId });
      return true;
    },
    rest,
    async pauseOf(of, why) {
      const detail = `${why} Resume the move with your own tokens.`;
      const pauseOne = async ({ id }: { readonly id: string }): Promise<boolean> => {
        const isPaused = await rest(id, { state: 'paused', reason: 'token-ended', detail });
        if (isPaused) await moves.log(id, detail);
        return isPaused;
      };
      return (await Promise.all((await holder.rowsOf(of)).map(pauseOne))).filter(Boolean).length;
    },
    resume,
    rateOf: (id) => running.get(id)?.rate.now() ?? null,
    async renewSeals() {
      await renewSeals(database, seal, { table: 'move', column: 'sealed_token', key: ['id'], placeOf });
      const ofSource = {
        table: 'move',
        column: 'sealed_source',
        key: ['id'],
        placeOf: sourcePlaceOf,
      } as const;
      await renewSeals(database, seal, ofSource);
    },
    async close() {
      closed = true;
      await Promise.all([...running.values()].map(({ stop }) => stop()));
      await holder.release();
    },
  };
}

/** The deed that a move's changes are parts of. */
function deedOf(move: MoveRow): Deed {
  return {
    personId: move.person_id,
    personName: move.person_name,
    loginName: '',
    sessionId: move.session_id ?? '',
    address: '',
    environment: move.environment,
    service: move.kind,
    action: 'move.start',
    kind: 'move',
    id: move.id,
    name: move.address,
    paths: [],
    decisions: [],
    revision: null,
    requestId: move.request_id,
  };
}

function pauseFor(error: unknown): PauseMove {
  if (error instanceof PauseMove) return error;
  if (error instanceof SealBroken) {
    return new PauseMove(
      'token-ended',
      "The move's tokens can no longer be decrypted. Resume the move with your own tokens.",
    );
  }
  const why = error instanceof ProblemError ? error.message : 'The console failed. Its log says why.';
  return new PauseMove('unreachable', `${why} Resume the move to continue where it stopped.`);
}
