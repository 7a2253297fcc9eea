/** Copies the chosen pieces of a move, a few at a time, the newest release of each item first. */
import type { Log } from '@gatehouse/service-kit/log';
import { turnsByKey } from '@gatehouse/service-kit/turns';
import pLimit, { type LimitFunction } from 'p-limit';
import { pause } from '#ground/pause.ts';
import { ProblemError } from '#ground/problem.ts';
import { UnusableFolder, type Spool } from '#uploads/spool.ts';
import { UnusableImage } from '#uploads/unusable-image.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { isBoxJob, isModuleJob, type Job } from '../job.ts';
import type { Moves } from '../rows/moves.ts';
import type { Outcome, PieceAt, Pieces } from '../rows/pieces.ts';
import { createBoxCopier, type Copier } from './copy-box.ts';
import { createModuleCopier } from './copy-module.ts';
import { pauseOfHere, pauseOfSource, PauseMove } from './pause-move.ts';
import { WrongBytes, type Reception } from './receive.ts';
import { workOff } from './work-off.ts';

export interface CopierParts {
  readonly log: Log;
  readonly moves: Moves;
  readonly pieces: Pieces;
  readonly spool: Spool;
  readonly checkRoom: Reception['checkRoom'];
}

/** Pieces copied concurrently. Archives of modules are held in memory while they are sent. */
const piecesAtOnce = { boxes: 4, modules: 2 } as const;
/** Images received concurrently from one host. */
const perHost = 2;

/** Copies until no piece waits. @throws PauseMove; the signal's reason if it is aborted */
export async function copyMove(parts: CopierParts, job: Job): Promise<void> {
  const { pieces } = parts;
  const { move } = job;
  const hosts = new Map<string, LimitFunction>();
  const fetching = <Result>(url: string, work: () => Promise<Result>): Promise<Result> => {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const turns = hosts.get(host) ?? pLimit(perHost);
    hosts.set(host, turns);
    return turns(work);
  };
  const copier = copierOf({ ...parts, fetching }, job);
  // Pieces that an ended process was copying wait again.
  await pieces.wait(move.id);
  do {
    await copyWaiting(parts, job, copier);
    await finishVersions(parts, job, copier);
    // Pieces may have been retried in the meantime.
  } while (await pieces.isWaiting(move.id));
}

async function copyWaiting(parts: CopierParts, job: Job, copier: Copier): Promise<void> {
  const { signal, registries } = job;
  const queue = createQueue(parts, job);
  await workOff(piecesAtOnce[registries.kind], queue.next, async (at) => {
    try {
      await settle(parts, job, copier, at, await copier.copy(at));
    } catch (error) {
      if (signal.aborted) throw error;
      try {
        await failed(parts, job, copier, { at, error, queue });
      } catch (final) {
        // The other pieces needn't be completed.
        job.cancel();
        throw final;
      }
    } finally {
      queue.ended();
    }
  }).finally(() => queue.close());
}

function copierOf(parts: Parameters<typeof createBoxCopier>[0], job: Job): Copier {
  if (isBoxJob(job)) return createBoxCopier(parts, job);
  if (isModuleJob(job)) return createModuleCopier(parts, job);
  throw new TypeError('a move is of boxes or of modules');
}

interface Queue {
  /** The next piece, as soon as there is one; undefined if none waits or will wait. */
  readonly next: () => Promise<PieceAt | undefined>;
  /** Reports that a piece of `next` is settled, or waits again. */
  ended(): void;
  /** Makes a piece wait again after a pause. */
  later(id: string, attempts: number, delayMs: number): void;
  /** Makes `next` wait until another piece has ended. @returns whether another one is in progress */
  holdUntilRoom(): boolean;
  close(): void;
}

function createQueue({ pieces }: CopierParts, { move, signal }: Job): Queue {
  let going = 0;
  let delayed = 0;
  /** Why a piece couldn't be made to wait again. The move must not end without it. */
  let failure: { readonly error: unknown } | undefined;
  let isHeld = false;
  let changed = Promise.withResolvers<void>();
  const closed = new AbortController();
  const notify = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  signal.addEventListener('abort', notify, { signal: closed.signal });
  return {
    async next() {
      for (;;) {
        signal.throwIfAborted();
        if (failure !== undefined) throw failure.error;
        const seen = changed.promise;
        const at = isHeld ? undefined : await pieces.take(move.id);
        if (at !== undefined) {
          going += 1;
          return at;
        }
        if (going === 0 && delayed === 0) return undefined;
        await seen;
      }
    },
    ended() {
      going -= 1;
      isHeld = false;
      notify();
    },
    later(id, attempts, delayMs) {
      delayed += 1;
      const ended = AbortSignal.any([signal, closed.signal]);
      pause(delayMs, ended)
        .then(() => (ended.aborted ? undefined : pieces.back(id, attempts)))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          delayed -= 1;
          notify();
        });
    },
    holdUntilRoom() {
      isHeld = going > 1;
      return isHeld;
    },
    close: () => closed.abort(),
  };
}

async function settle(
  parts: CopierParts,
  job: Job,
  copier: Copier,
  at: PieceAt,
  outcome: Outcome,
): Promise<void> {
  const { moves, pieces, spool } = parts;
  const { piece, item } = at;
  await pieces.settle(piece.id, outcome);
  await spool.remove(piece.id);
  if (outcome.state === 'failed' || outcome.state === 'clash') {
    await moves.log(job.move.id, `${nameOf(at)}: ${outcome.detail}`, { item: item.name, failed: true });
  }
  await finishVersion(parts, job, copier, at);
}

interface Failed {
  readonly at: PieceAt;
  readonly error: unknown;
  readonly queue: Queue;
}

/** Handles a failed piece: it is retried, it has failed, or the whole move pauses. */
async function failed(
  parts: CopierParts,
  job: Job,
  copier: Copier,
  { at, error, queue }: Failed,
): Promise<void> {
  const { pieces, log } = parts;
  const { piece } = at;
  const isOfHere = error instanceof ServiceError;
  const paused = pauseOfHere(error) ?? (isOfHere ? undefined : pauseOfSource(error, job.usedToken));
  if (paused !== undefined) throw paused;
  if (!(error instanceof ProblemError) || error instanceof UnusableFolder) throw error;
  const attempts = await pieces.attemptsOf(piece);
  if (error.code === 'storage-full') {
    if (!queue.holdUntilRoom())
      throw new PauseMove('storage-full', `${error.message} Resume the move when there is space.`);
    await pieces.back(piece.id, attempts);
    return;
  }
  // Bytes that the disk has lost or changed are received again.
  const isLost = error instanceof UnusableImage;
  if (isLost) await pieces.received(piece.id, { received: 0, size: piece.size, validator: '' });
  const delay =
    error instanceof WrongBytes
      ? undefined
      : isLost
        ? job.here.delayAfter(new ProblemError('service-unavailable', error.message), attempts)
        : (isOfHere ? job.here : job.there).delayAfter(error, attempts);
  log.warn('move: file not copied', { code: error.code, attempt: attempts + 1, error });
  if (delay === undefined) {
    await settle(parts, job, copier, at, { state: 'failed', detail: error.message, sha256: '' });
    return;
  }
  await pieces.failedOnce(piece.id, attempts + 1, error.message);
  queue.later(piece.id, attempts + 1, delay);
}

const atVersion = turnsByKey({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/** Completes a version once none of its pieces waits. Its last pieces may be settled at the same time. */
function finishVersion(
  parts: CopierParts,
  job: Job,
  copier: Copier,
  at: Pick<PieceAt, 'version' | 'item'>,
): Promise<void> {
  return atVersion(at.version.id, '', () => finishInTurn(parts, job, copier, at));
}

async function finishInTurn(
  { moves, pieces, log }: CopierParts,
  { move, signal }: Job,
  copier: Copier,
  { version: { id }, item }: Pick<PieceAt, 'version' | 'item'>,
): Promise<void> {
  const left = await pieces.leftOf(id);
  const version = await pieces.version(id);
  if (left.going > 0 || version === undefined || version.phase === 'failed') return;
  try {
    const statusHere = await copier.finish(version, item, left);
    const isNewest = version.priority === 0 && left.usable > 0;
    // Stored first, because a completed version isn't looked at again if the process ends here.
    if (isNewest && statusHere !== null && statusHere !== 'unreleased') await pieces.usable(item.id);
    await pieces.finish(version, { phase: 'done', status_here: statusHere });
  } catch (error) {
    const paused = pauseOfHere(error);
    if (paused !== undefined || !(error instanceof ProblemError) || signal.aborted) throw paused ?? error;
    log.warn('move: version not finished', { code: error.code, error });
    const detail = `Version ${version.version} couldn't be finished here: ${error.message}`;
    await pieces.finish(version, { phase: 'failed' });
    await pieces.problem(item.id, { code: error.code, detail });
    await moves.log(move.id, detail, { item: item.name, failed: true });
  }
}

/** Completes versions that have nothing to copy. */
async function finishVersions(parts: CopierParts, job: Job, copier: Copier): Promise<void> {
  const busy = new Set<string>();
  await workOff(
    4,
    async () => {
      job.signal.throwIfAborted();
      const at = await parts.pieces.nextOpen(job.move.id, [...busy]);
      if (at !== undefined) busy.add(at.version.id);
      return at;
    },
    async (at) => {
      await finishVersion(parts, job, copier, at);
      busy.delete(at.version.id);
    },
  );
}

/** The name of a piece in the log. */
function nameOf({ piece, version }: PieceAt): string {
  return [version.version, piece.provider, piece.architecture].filter((part) => part !== '').join(' ');
}
