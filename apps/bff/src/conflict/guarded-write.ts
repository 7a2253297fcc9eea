/**
 * Writes that must not overwrite what the person has not seen. What a service answers to a stale write is not
 * reliable (some answer 404, 500 or 400), and an answer may be lost: so whenever it is not certain what happened,
 * the record is read again and its revision decides, never the text of an answer.
 */
import {
  problemStatus,
  type ConflictDetails,
  type ConflictReason,
} from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ProblemError } from '#ground/problem.ts';
import { inTurn, type Turn } from './in-turn.ts';

/** What the write is about, for the problem that is answered. */
export interface Resource {
  readonly environment: string;
  readonly service: ServiceName;
  /** In the service's own words, for example `target`. */
  readonly kind: string;
  readonly id: string;
}

/** What is known of a write that failed. */
export type FailedWrite =
  /** The service refused it for a reason that has nothing to do with revisions. */
  | 'refused'
  /** The service refused it, and said that it was made for a stale revision. */
  | 'stale'
  /** The service answered in a way that may mean a stale revision. */
  | 'perhaps-stale'
  /** No usable answer: it may have been done, or may yet be. */
  | 'unknown';

interface Guarded<Stored> {
  readonly resource: Resource;
  /** What such writes wait for each other by, where that is more than the record. */
  readonly turn?: Turn;
  /** The revision that the person saw. */
  readonly expected: string;
  /** The record as it is stored now; null when there is none. */
  readonly read: () => Promise<Stored | null>;
  readonly revisionOf: (stored: Stored) => string;
  /** When the record was last changed (RFC 3339), where the service says so. */
  readonly changedAt?: (stored: Stored) => string;
  /** Who changed the record last, where the service says so. */
  readonly changedBy?: (stored: Stored) => string | null;
  /** The record as the person saw it, where the service keeps history; null where it cannot be read any more. */
  readonly base?: () => Promise<Stored | null>;
  /** What a conflict tells of a record, where that is not all of it: nobody has asked to see the rest. */
  readonly told?: (stored: Stored) => unknown;
  /** Whether the expected revision stands for no record: then another one is `created`. */
  readonly creates?: boolean;
  readonly failed: (error: unknown) => FailedWrite;
}

/** A guarded update. */
export interface GuardedWrite<Stored> extends Guarded<Stored> {
  /** Writes if the record still has the expected revision, where the service can check that itself. */
  readonly send: () => Promise<Stored>;
  /** Whether a stored record has every value that was sent. */
  readonly equalsSent: (stored: Stored) => boolean | Promise<boolean>;
  /**
   * Read and compare before writing: for services without a guard of their own, and for fields whose guard is known
   * not to hold. Such writes of one record wait for each other.
   */
  readonly readFirst: boolean;
  /** Judges the write by the record that it is for, which is read for that; throws what refuses it. */
  readonly judge?: ((stored: Stored) => void | Promise<void>) | undefined;
}

/**
 * Writes once, or finds out why not.
 * @returns the record as stored after the write
 * @throws ProblemError `conflict` with the current record, `outcome-unknown`, or what `judge`, `send` and `read` threw
 */
export async function guardedWrite<Stored>(write: GuardedWrite<Stored>): Promise<Stored> {
  return write.readFirst
    ? inTurn(write.turn ?? write.resource, () => writeGuarded(write))
    : writeGuarded(write);
}

async function writeGuarded<Stored>(write: GuardedWrite<Stored>): Promise<Stored> {
  if (write.readFirst || write.judge !== undefined) {
    const before = await write.read();
    if (before === null || write.revisionOf(before) !== write.expected) return decide(write, before);
    await write.judge?.(before);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await write.send();
    } catch (error) {
      const failed = write.failed(error);
      if (failed === 'refused') throw error;
      const current = await readAgain(write, error, failed);
      if (current === null || write.revisionOf(current) !== write.expected) return decide(write, current);
      // Unchanged: the service meant something else than a stale revision.
      if (failed !== 'unknown') throw error;
      // Unchanged so far. The revision guards a second sending: if the first one still arrives, one of them is stale.
      if (attempt > 1 || write.readFirst) throw outcomeUnknown(write, error);
    }
  }
}

/** The record is not what the person saw: it has the person's own values (a lost answer), or it is a conflict. */
async function decide<Stored>(write: GuardedWrite<Stored>, current: Stored | null): Promise<Stored> {
  if (current !== null && (await write.equalsSent(current))) return current;
  throw await conflict(write, current);
}

/** A guarded deletion, of a service whose own deletion takes any revision. It waits for what is done to the record. */
export interface GuardedDelete<Stored> extends Guarded<Stored> {
  readonly remove: () => Promise<void>;
}

/**
 * Deletes if the record still has the expected revision, and makes sure that it is gone.
 * @throws ProblemError `not-found` when it was gone before, `conflict`, `outcome-unknown`, or what the calls threw
 */
export async function guardedDelete<Stored>(deletion: GuardedDelete<Stored>): Promise<void> {
  await inTurn(deletion.turn ?? deletion.resource, () => deleteGuarded(deletion));
}

async function deleteGuarded<Stored>(deletion: GuardedDelete<Stored>): Promise<void> {
  const { resource } = deletion;
  const before = await deletion.read();
  if (before === null) {
    throw new ProblemError('not-found', `This ${wordsOf(resource)} was already deleted.`, {
      service: resource.service,
      environment: resource.environment,
    });
  }
  if (deletion.revisionOf(before) !== deletion.expected) throw await conflict(deletion, before);
  for (let attempt = 1; ; attempt++) {
    let failure: unknown;
    let failed: FailedWrite = 'unknown';
    try {
      await deletion.remove();
    } catch (error) {
      failed = deletion.failed(error);
      if (failed === 'refused') throw error;
      failure = error;
    }
    const after = await readAgain(deletion, failure, failed);
    if (after === null) return;
    if (deletion.revisionOf(after) !== deletion.expected) throw await conflict(deletion, after);
    if (failed === 'stale' || failed === 'perhaps-stale') throw failure;
    // Still there, and still what the person saw: deleting once more is what was asked for.
    if (attempt > 1) throw outcomeUnknown(deletion, failure);
  }
}

/** Reads what is stored after a write that failed. An answered refusal stays one, whether or not that can be read. */
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

/** Whether a service said by its answer that it did nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && problemStatus[error.code] < 500;
}

/** A conflict with a record that can't be read: by whoever may only write, or at the moment. */
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

/** The problem that says that a record is not what the person saw. */
export async function conflict<Stored>(
  guarded: Omit<Guarded<Stored>, 'read' | 'failed'>,
  current: Stored | null,
): Promise<ProblemError> {
  const reason: ConflictReason =
    current === null ? 'deleted' : guarded.creates === true ? 'created' : 'modified';
  // Without what was there before it is a conflict all the same.
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
  const detail = {
    deleted: `This ${kind} was deleted after you opened it. Nothing was changed.`,
    modified: `This ${kind} was changed after you opened it. Nothing was overwritten.`,
    created: `This ${kind} already exists. Nothing was overwritten.`,
  }[reason];
  return new ProblemError('conflict', detail, { service, environment, conflict: details });
}

/** The problem of a change whose outcome could not be learned. */
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
