/**
 * Deliveries of images to registries. Each runs with its own token until it is done or has failed. Its progress is in
 * the database, so that another process can continue it.
 */
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { Provider } from '@gatehouse/api-types/console/boxes';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { pause, stopping } from '#ground/pause.ts';
import { isPassing, ProblemError } from '#ground/problem.ts';
import type { KeptToken } from '#session/connections.ts';
import type { Revocations } from '#session/revocations.ts';
import { renewSeals, type TokenSeal } from '#session/token-seal.ts';
import { bigint, type Database } from '#store/database.ts';
import { createHolder, hasNotEnded, type WorkOf } from '#store/lease.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { ProviderPlace } from '#upstreams/box-registry/boxes.ts';
import { callAs, type BoxesCaller } from '#upstreams/box-registry/client.ts';
import type { Directory } from '#upstreams/directory.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { send, verify, type Expected } from './deliver-image.ts';
import type { Runs, StoredProvider } from './runs.ts';
import type { Spool } from './spool.ts';
import { lostFile, UnusableImage } from './unusable-image.ts';
import type { Uploads } from './uploads.ts';

export type Deliveries = ReturnType<typeof createDeliveries>;

export interface DeliveryParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly seal: TokenSeal;
  readonly log: Log;
  readonly directory: Directory;
  readonly spool: Spool;
  readonly uploads: Uploads;
  readonly runs: Runs;
  readonly revocations: Pick<Revocations, 'wake'>;
  /** Pauses before retries of an interrupted delivery, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
  /** Time between two heartbeats, in milliseconds. */
  readonly heartbeatMs?: number;
  /** How long others wait for work that hangs, if not as long as usual, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

const usualDelays = [2_000, 5_000, 15_000, 45_000, 120_000] as const;
/** States in which a delivery is due, or running. */
const going = ['received', 'delivering', 'verifying'] as const;
/** How often progress is stored, in milliseconds. */
const progressEvery = 1_000;

const released = {
  token_id: null,
  sealed_token: null,
  session_id: null,
  worker: null,
  lease_until: 0,
} as const;
const noProblem = { problem_code: null, problem_detail: null, retry: null } as const;

export function createDeliveries(parts: DeliveryParts) {
  const { database, clock, seal, log, directory, spool, uploads, runs, revocations } = parts;
  const { build } = database;
  const delays = parts.retryDelaysMs ?? usualDelays;
  const holder = createHolder('publish_upload', parts);
  const { worker } = holder;
  /** Stops the deliveries in progress in this process. */
  const working = new Map<string, () => Promise<void>>();
  const placeOf = (row: { readonly id: string; readonly environment: string }) => ({
    sessionId: row.id,
    environment: row.environment,
    service: 'boxes',
  });

  /** Whether this process may deliver the upload: with several consoles, the one that has the file. */
  const isOurs = async (row: PublishUploadRow): Promise<boolean> =>
    (await holder.isForAny(row)) ||
    (seal.opens(row.sealed_token ?? '', placeOf(row)) && (await spool.holds(row.id, row.size)));

  let closed = false;
  const begin = async (id: string): Promise<void> => {
    const row = await uploads.get(id);
    if (row === undefined || working.has(id) || closed || !(await isOurs(row))) return;
    const whileClaimed = await holder.claim(id);
    if (whileClaimed === undefined || working.has(id) || closed) return;
    const abort = new AbortController();
    const done = whileClaimed(abort, () => work(id, abort.signal))
      .catch((error: unknown) => log.error('delivery', { error }))
      .finally(() => working.delete(id));
    working.set(id, stopping(abort, done, parts.patienceMs));
  };

  /** Retries until an attempt succeeds, fails finally, or was the last. */
  const work = async (id: string, signal: AbortSignal): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      const row = await uploads.get(id);
      if (row === undefined || signal.aborted) return;
      const named = await providerOf(row);
      try {
        await deliver(row, signal);
        const to = { state: 'done', ...released, ...noProblem } as const;
        if (!(await uploads.change(id, ['verifying'], to, worker))) return;
        revocations.wake();
        await runs.log(row.run_id, 'The image was delivered and verified.', { provider: named });
        await spool.remove(id);
        return;
      } catch (error) {
        // The process that stopped the delivery, or has it now, sets its state.
        if (signal.aborted || !(await holder.extend(id))) return;
        const problem = problemOf(error);
        const delay = delayAfter(problem, delays[attempt]);
        log.warn('delivery failed', { code: problem.code, attempt: attempt + 1, error });
        await runs.log(row.run_id, problem.message, { provider: named, failed: true });
        if (problem instanceof UnusableImage) {
          await uploads.giveUp(id, problem, worker);
          revocations.wake();
          return;
        }
        const told = { problem_code: problem.code, problem_detail: problem.message };
        if (delay === undefined) {
          const to = { state: 'failed', ...released, ...told, retry: 'deliver' } as const;
          await uploads.change(id, going, to, worker);
          revocations.wake();
          return;
        }
        await uploads.change(id, ['delivering', 'verifying'], { state: 'received', ...told }, worker);
        await pause(delay, signal);
      }
    }
  };

  const providerOf = async (row: PublishUploadRow): Promise<string> => {
    const run = await runs.find(row.run_id);
    const provider = run?.plan.providers.find(({ id }) => id === row.provider_id);
    return provider === undefined ? '' : providerLabel(provider);
  };

  const deliver = async (row: PublishUploadRow, signal: AbortSignal): Promise<void> => {
    const caller = callAs(directory.boxes(row.environment), {
      token: seal.open(row.sealed_token ?? '', placeOf(row)),
      username: row.username ?? '',
      signal,
    });
    const sha256 =
      (row.state === 'verifying' ? row.sha256 : null) ??
      (await caller.registry.transfers.sending(
        caller.username,
        () => sendPlanned(row, caller, signal),
        signal,
      ));
    const { at, expected } = await target(row);
    await verify(caller, at, row, expected, sha256);
  };

  /** Sends the image to its planned place once its turn has come. From then on the plan doesn't change. */
  const sendPlanned = async (
    row: PublishUploadRow,
    caller: BoxesCaller,
    signal: AbortSignal,
  ): Promise<string> => {
    const { id, size } = row;
    if (!(await spool.holds(id, size))) throw lostFile();
    const begun = {
      state: 'delivering',
      delivered: 0,
      attempts: row.attempts + 1,
      delivery_started_at: clock.now(),
      ...noProblem,
    } as const;
    if (!(await uploads.change(id, going, begun, worker))) throw stopped();
    const { at, expected } = await target(row);
    const sha256 = await send(caller, at, { size, read: () => spool.read(id) }, expected, {
      mayAdd: expected.may_add,
      mayReplace: (there) => isAgreed(there, expected) || maybeSent(there, row, expected),
      signal,
      progress: progressOf(id),
      whole: async (sent) => {
        if (!(await uploads.change(id, ['delivering'], { sha256: sent }, worker))) throw stopped();
      },
    });
    const sent = { state: 'verifying', delivered: size, sha256 } as const;
    if (!(await uploads.change(id, ['delivering'], sent, worker))) throw stopped();
    return sha256;
  };

  /** The planned destination of the image. */
  const target = async (
    row: PublishUploadRow,
  ): Promise<{ readonly at: ProviderPlace; readonly expected: StoredProvider }> => {
    const run = await runs.find(row.run_id);
    if (run?.state === 'abandoned') throw new ProblemError('not-found', 'The run was abandoned.');
    const plan = run?.plan;
    const provider = plan?.providers.find(({ id }) => id === row.provider_id);
    if (provider === undefined || !plan?.box || !plan.version) {
      throw new ProblemError('not-found', 'The run no longer has this provider.');
    }
    const { username, name } = plan.box;
    const { name: named, architecture } = provider;
    return {
      at: { username, name, version: plan.version.version, provider: named, architecture },
      expected: provider,
    };
  };

  const progressOf = (id: string): ((bytes: number) => void) => {
    let writtenAt = -Infinity;
    let writing = false;
    return (delivered) => {
      if (writing || clock.monotonic() - writtenAt < progressEvery) return;
      writing = true;
      writtenAt = clock.monotonic();
      database
        .run(
          build
            .updateTable('publish_upload')
            .set({ delivered: bigint(delivered) })
            .where('id', '=', id)
            .where('worker', '=', worker)
            .where('state', '=', 'delivering')
            .compile(),
        )
        .catch((error: unknown) => log.warn('upload progress not saved', { error }))
        .finally(() => (writing = false));
    };
  };

  const stop = async (id: string): Promise<void> => working.get(id)?.();

  return {
    /**
     * Starts the delivery of a received image, which keeps this token until it is done.
     * @returns false if there was no image to deliver, or the session has ended
     */
    async start(id: string, token: KeptToken, sessionId: string): Promise<boolean> {
      const row = await uploads.get(id);
      if (row === undefined) return false;
      const to = {
        state: 'received',
        ...noProblem,
        session_id: sessionId,
        token_id: token.tokenId,
        sealed_token: seal.seal(token.token, placeOf(row)),
        token_expires_at: token.expiresAt,
        username: token.accountId,
      } as const;
      const only = hasNotEnded(database, sessionId);
      const changed = await uploads.change(id, ['received', 'failed'], to, undefined, only);
      if (changed) await begin(id);
      return changed;
    },
    /** Stops deliveries. They can be started again with other tokens. @param why for their owner. @returns how many */
    async stopOf(of: WorkOf, why: string): Promise<number> {
      const stopOne = async ({ id }: { readonly id: string }): Promise<boolean> => {
        await stop(id);
        const told = { problem_code: 'not-connected', problem_detail: why } as const;
        return uploads.change(id, going, { state: 'failed', ...released, ...told, retry: 'deliver' });
      };
      const stopped = await Promise.all((await holder.rowsOf(of)).map(stopOne));
      revocations.wake();
      return stopped.filter(Boolean).length;
    },
    /** Stops a delivery, and waits a while for its work to end. */
    stop,
    /** Continues deliveries that no process works on. */
    async resume(): Promise<void> {
      const rows = await database.all(
        build
          .selectFrom('publish_upload')
          .select('id')
          .where('state', 'in', going)
          .where('sealed_token', 'is not', null)
          .compile(),
      );
      for (const { id } of rows) await begin(id).catch((error: unknown) => log.error('delivery', { error }));
    },
    /** Encrypts tokens under the newest key. */
    renewSeals: (): Promise<void> =>
      renewSeals(database, seal, { table: 'publish_upload', column: 'sealed_token', key: ['id'], placeOf }),
    /** Stops all deliveries of this process. Other processes, or the next start, continue them. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...working.values()].map((stopOne) => stopOne()));
      await holder.release();
    },
  };
}

/**
 * Whether the registry's image may come from an earlier attempt whose answer was lost. That attempt must have reached
 * its last bytes, and the checksum must match. If the registry reports none (the console stores it after the answer),
 * the size must match.
 */
function maybeSent(
  { size, checksum, checksum_type }: Provider,
  sent: Pick<PublishUploadRow, 'size' | 'sha256'>,
  expected: Expected,
): boolean {
  if (sent.sha256 === null || size !== sent.size) return false;
  if (checksum === '') return true;
  if (checksum_type === 'sha256') return checksum === sent.sha256;
  return checksum_type === expected.checksum_type && checksum === expected.checksum;
}

/**
 * Whether the registry's image is the one that the user allowed to be replaced. Its checksum may have become the
 * planned one since, through the run's own step.
 */
function isAgreed({ size, checksum }: Provider, { may_replace: seen, ...planned }: StoredProvider): boolean {
  if (seen === null || (seen.size !== null && seen.size !== size)) return false;
  return checksum === seen.checksum || (checksum !== '' && checksum === planned.checksum);
}

/** The row was changed elsewhere, or another process has it. */
function stopped(): Error {
  return new Error('the delivery was stopped, or taken by another process');
}

/** Why a delivery was interrupted, in words for the user. */
function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof SealBroken) {
    return new ProblemError('not-connected', "The delivery's token can no longer be decrypted.", {
      cause: error,
    });
  }
  const lost = error instanceof StoreUnavailable ? "the console's database" : 'the box registry';
  return new ProblemError('service-unavailable', `The connection to ${lost} was lost.`, { cause: error });
}

/**
 * Pause before the next attempt, in milliseconds, at least as long as the registry asks for.
 * @param usual undefined after the last attempt
 * @returns undefined if there is none
 */
function delayAfter(problem: ProblemError, usual: number | undefined): number | undefined {
  const isWorthIt =
    isPassing(problem) ||
    (problem instanceof ServiceError && problem.code === 'bad-answer' && problem.delivery === 'unknown');
  if (!isWorthIt || usual === undefined) return undefined;
  return Math.max(usual, (problem.init.retryAfterSeconds ?? 0) * 1_000);
}
