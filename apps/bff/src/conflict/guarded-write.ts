/**
 * Writes that never overwrite changes that the user hasn't seen. A service's answer to a stale write isn't reliable
 * (some answer 404, 500 or 400), and answers may be lost. If the outcome is uncertain, the record is read again, and
 * its revision decides, never the text of an answer.
 */
import {
  problemStatus,
  type ConflictDetails,
  type ConflictReason,
} from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { unchanged, type AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { inTurn, type Turn } from './in-turn.ts';

/** What the write is about, for the problem. */
export interface Resource {
  readonly environment: string;
  readonly service: ServiceName;
  /** The service's term, for example `target`. */
  readonly kind: string;
  readonly id: string;
}

/** What a failed write says about its outcome. */
export type FailedWrite =
  /** The service refused it for a reason unrelated to revisions. */
  | 'refused'
  /** The service refused it as stale. */
  | 'stale'
  /** The answer may mean a stale revision. */
  | 'perhaps-stale'
  /** No usable answer: the write may have been made, or may still be. */
  | 'unknown';

interface Guarded<Stored> {
  readonly resource: Resource;
  /** The key by which such writes wait for each other, if it covers more than the record. */
  readonly turn?: Turn;
  /** The revision that the user saw. */
  readonly expected: string;
  /** The stored record; null if there is none. */
  readonly read: () => Promise<Stored | null>;
  readonly revisionOf: (stored: Stored) => string;
  /** When the record was last changed (RFC 3339), if the service reports it. */
  readonly changedAt?: (stored: Stored) => string;
  /** Who last changed the record, if the service reports it. */
  readonly changedBy?: (stored: Stored) => string | null;
  /** The record as the user saw it, if the service keeps history; null if it can't be read any more. */
  readonly base?: () => Promise<Stored | null>;
  /** The part of a record that a conflict shows, if not all: nobody has asked to see the rest. */
  readonly told?: (stored: Stored) => unknown;
  /** Whether the expected revision stands for no record. Another record is `created` then. */
  readonly creates?: boolean;
  readonly failed: (error: unknown) => FailedWrite;
}

/** A guarded update. */
export type GuardedWrite<Stored> = Sending<Stored> & (ReadFirst<Stored> | NotRead);

interface Sending<Stored> extends Guarded<Stored> {
  /**
   * Writes if the record still has the expected revision, if the service can check that.
   * @param before the stored record, if it was read first
   */
  readonly send: (before: Stored | undefined) => Promise<Stored>;
  /**
   * Whether a stored record has all sent values.
   * @param mayBeDone whether the answer was lost. If not, the service refused the write, and what is stored is someone
   *   else's, even if the service could have made it of the sent values
   */
  readonly equalsSent: (stored: Stored, mayBeDone: boolean) => boolean | Promise<boolean>;
}

interface ReadFirst<Stored> {
  /** Reads and compares before writing, for services without a guard, and for fields that their guard doesn't cover. */
  readonly readFirst: boolean;
  /** Judges the write by the stored record, which is read for this. Throws to refuse the write. */
  readonly judge?: ((stored: Stored) => void | Promise<void>) | undefined;
  /** Called if nothing was sent because the record already has the values: the caller may not have the right to write. */
  readonly note: Pick<AuditNote, 'changed'>;
}

/** The service checks the revision, and the right. */
interface NotRead {
  readonly readFirst: false;
  readonly judge?: undefined;
  readonly note?: undefined;
}

/**
 * Reads what an answer reports besides a change. The change is already made, so it isn't reported as failed when nothing
 * more can be read.
 * @returns null if it can't be read
 */
export function onceWritten<Found>(read: () => Promise<Found>): Promise<Found | null> {
  return read().catch(() => null);
}

/**
 * Writes once, or finds out why that failed. Writes and deletions of one record wait for each other: a guard of the
 * service doesn't protect a write from a deletion that was decided before it.
 * @returns the stored record after the write
 * @throws ProblemError `conflict` with the current record, `outcome-unknown`, or the errors of `judge`, `send` and
 *   `read`
 */
export function guardedWrite<Stored>(write: GuardedWrite<Stored>): Promise<Stored> {
  return inTurn(write.turn ?? write.resource, () => writeGuarded(write));
}

async function writeGuarded<Stored>(write: GuardedWrite<Stored>): Promise<Stored> {
  let before: Stored | undefined;
  if (write.readFirst || write.judge !== undefined) {
    const stored = await write.read();
    if (stored === null || write.revisionOf(stored) !== write.expected) {
      const equal = await decide(write, stored);
      write.note.changed(unchanged);
      return equal;
    }
    await write.judge?.(stored);
    before = stored;
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await write.send(before);
    } catch (error) {
      const failed = write.failed(error);
      // The first attempt may still arrive, whatever became of the second.
      if (failed === 'refused') throw attempt > 1 ? outcomeUnknown(write, error) : error;
      const current = await readAgain(write, error, failed);
      if (current === null || write.revisionOf(current) !== write.expected)
        return decide(write, current, failed === 'unknown' || attempt > 1);
      // The record is unchanged, so the service meant something other than a stale revision.
      if (failed !== 'unknown') throw error;
      // The record is unchanged so far. The revision guards the second attempt: if the first one still arrives, one of
      // them is stale.
      if (attempt > 1 || write.readFirst) throw outcomeUnknown(write, error);
    }
  }
}

/**
 * The record has changed: if it has the user's own values, the answer was lost; otherwise it is a conflict.
 * @param mayBeDone whether the write's answer was lost, so that someone else may have changed what it stored
 */
async function decide<Stored>(
  write: GuardedWrite<Stored>,
  current: Stored | null,
  mayBeDone = false,
): Promise<Stored> {
  if (current !== null && (await write.equalsSent(current, mayBeDone))) return current;
  throw await conflict(write, current, mayBeDone);
}

/** A guarded deletion for services that delete any revision. It waits for other work on the record. */
export interface GuardedDelete<Stored> extends Guarded<Stored> {
  readonly remove: () => Promise<void>;
}

/**
 * Deletes the record if it still has the expected revision, and ensures that it is gone.
 * @throws ProblemError `not-found` if it was gone before, `conflict`, `outcome-unknown`, or the calls' errors
 */
export async function guardedDelete<Stored>(deletion: GuardedDelete<Stored>): Promise<void> {
  await inTurn(deletion.turn ?? deletion.resource, () => deleteGuarded(deletion));
}

async function deleteGuarded<Stored>(deletion: GuardedDelete<Stored>): Promise<void> {
  const { resource } = deletion;
  const before = await deletion.read();
  if (before === null) {
    throw new ProblemError(
      'not-found',
      `This ${wordsOf(resource)} no longer exists, or you can no longer see it.`,
      {
        service: resource.service,
        environment: resource.environment,
      },
    );
  }
  if (deletion.revisionOf(before) !== deletion.expected) throw await conflict(deletion, before);
  for (let attempt = 1; ; attempt++) {
    let failure: unknown;
    let failed: FailedWrite = 'unknown';
    try {
      await deletion.remove();
    } catch (error) {
      failed = deletion.failed(error);
      if (failed === 'refused') throw attempt > 1 ? outcomeUnknown(deletion, error) : error;
      failure = error;
    }
    const after = await readAgain(deletion, failure, failed);
    if (after === null) return;
    if (deletion.revisionOf(after) !== deletion.expected)
      throw await conflict(deletion, after, failed === 'unknown' && failure !== undefined);
    if (failed === 'stale' || failed === 'perhaps-stale') throw failure;
    // The record still exists unchanged, so it is deleted again, as the user intends.
    if (attempt > 1) throw outcomeUnknown(deletion, failure);
  }
}

/** Reads the record after a failed write. An answered refusal remains one, whether or not the record can be read. */
async function readAgain<Stored>(
  guarded: Guarded<Stored>,
  failure: unknown,
  failed: FailedWrite,
): Promise<Stored | null> {
  try {
    return await guarded.read();
  } catch (error) {
    if (failed === 'stale') throw unseenConflict(guarded, error);
    const isDenied = error instanceof ProblemError && error.code === 'forbidden';
    if (failed === 'perhaps-stale' && isDenied && isRefusal(failure)) throw failure;
    throw outcomeUnknown(guarded, failure ?? error);
  }
}

/** Whether a service's answer says that it changed nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && problemStatus[error.code] < 500;
}

/** A conflict with a record that can't be read, by someone who may only write, or at the moment. */
function unseenConflict<Stored>(
  { resource, expected, creates }: Guarded<Stored>,
  cause: unknown,
): ProblemError {
  const { service, environment } = resource;
  const kind = wordsOf(resource);
  const isNew = creates === true;
  return new ProblemError(
    'conflict',
    isNew
      ? `This ${kind} already exists, but it can't be read. Nothing was overwritten.`
      : `This ${kind} was changed after you opened it, and its current state can't be read. Nothing was overwritten.`,
    {
      service,
      environment,
      cause,
      conflict: {
        resource,
        reason: isNew ? 'created' : 'modified',
        expectedRevision: isNew ? null : expected,
        currentRevision: null,
        current: null,
        base: null,
        changedBy: null,
        changedAt: null,
      },
    },
  );
}

/** The problem of a record that differs from what the user saw. */
export async function conflict<Stored>(
  guarded: Omit<Guarded<Stored>, 'read' | 'failed'>,
  current: Stored | null,
  mayBeDone = false,
): Promise<ProblemError> {
  const reason: ConflictReason =
    current === null ? 'deleted' : guarded.creates === true ? 'created' : 'modified';
  // It is a conflict even without the previous record.
  const base = (await guarded.base?.().catch(() => null)) ?? null;
  const told = (stored: Stored | null): unknown =>
    stored === null || guarded.told === undefined ? stored : guarded.told(stored);
  const details: ConflictDetails = {
    resource: guarded.resource,
    reason,
    expectedRevision: guarded.creates === true ? null : guarded.expected,
    currentRevision: current === null ? null : guarded.revisionOf(current),
    current: told(current),
    base: told(base),
    changedBy: (current !== null && guarded.changedBy?.(current)) || null,
    changedAt: (current !== null && guarded.changedAt?.(current)) || null,
  };
  const { service, environment } = guarded.resource;
  const kind = wordsOf(guarded.resource);
  const what = {
    deleted: `This ${kind} no longer exists, or you can no longer see it.`,
    modified: `This ${kind} was changed after you opened it.`,
    created: `This ${kind} already exists.`,
  }[reason];
  const outcome = mayBeDone
    ? "The service's answer to your change was lost, so your change may have been made first."
    : reason === 'deleted'
      ? 'Nothing was changed.'
      : 'Nothing was overwritten.';
  return new ProblemError('conflict', `${what} ${outcome}`, {
    service,
    environment,
    conflict: details,
    ...(mayBeDone && { mayBeDone }),
  });
}

/** The problem of a change with an unknown outcome. */
export function outcomeUnknown({ resource }: { readonly resource: Resource }, cause: unknown): ProblemError {
  const { service, environment } = resource;
  const kind = wordsOf(resource);
  return new ProblemError(
    'outcome-unknown',
    `The service didn't say whether the ${kind} was changed, and the console couldn't find out. Check the ${kind} before you repeat the change.${cause instanceof ProblemError ? ` ${cause.message}` : ''}`,
    { service, environment, cause },
  );
}

function wordsOf({ kind }: Resource): string {
  return kind.replaceAll('-', ' ');
}
