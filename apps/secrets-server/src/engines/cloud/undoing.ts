import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Mount } from '../../core/mount.ts';
import { badRequest } from '../../core/refusal.ts';
import { bySource } from '../../identity/by-source.ts';
import { inParallel } from '../../identity/in-parallel.ts';
import { retryTime } from '../../identity/retry.ts';
import type { NewUndo, Undo, UndoRecord, UndoStore } from '../../store/cloud/undo-store.ts';
import type { SecretsWriter } from '../../store/database.ts';
import { ProviderFault, refusalOf } from './provider.ts';
import type { Provider } from './provider.ts';
import type { Providers } from './providers.ts';
import type { CloudTimes } from './times.ts';
import type { RemovalTurns } from './turns.ts';

/** An object to be created at the provider, and undone unless it is kept. */
export interface Making<Made, Result> {
  /** Recorded before the object is created. */
  readonly undo: Undo;
  /** Makes the first call that creates something. If the call is refused at once, nothing has to be undone. */
  start(provider: Provider): Promise<Made>;
  /** Makes the other calls. @param keep called in the transaction that stores the lease or setting */
  finish(provider: Provider, made: Made, keep: (tx: SecretsWriter) => void): Promise<Result>;
}

/** Creates objects at the provider without leaving any unrecorded ones. */
export interface Undoing {
  /**
   * Records an undo, then creates the object. If creating fails, the object is deleted at once or retried until it is.
   * @throws Refusal with the object that could not be deleted yet; 400 while the engine is being unmounted, or has
   * too many undos
   */
  make<Made, Result>(mount: Mount, making: Making<Made, Result>): Promise<Result>;
  /** Records an undo in the transaction that requires it. */
  noteIn(tx: SecretsWriter, made: NewUndo, now: number): UndoRecord;
  /** Undoes now, or later if that fails. Returns whether it is done. */
  undo(record: UndoRecord): Promise<boolean>;
  /** Runs due undos whose objects are not being created. */
  sweep(now: number): Promise<void>;
  /** Stops an engine from creating objects, and returns the ones that could not be deleted yet. */
  stop(mount: Mount): Promise<string[]>;
  /** Lets an engine create objects again. */
  resume(mount: Mount): void;
  /** Whether an engine has undos. */
  holds(mount: Mount): boolean;
  /** Drops an engine's undos, except those of objects that are being created. */
  forget(mount: Mount): Promise<void>;
}

export interface UndoingOptions {
  readonly records: UndoStore;
  readonly providers: Pick<Providers, 'of'>;
  readonly inTurn: RemovalTurns;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: Pick<CloudTimes, 'retry' | 'settled'>;
}

/** The outcome of an undo: done, waiting because the object may still appear, failed, or failed without an answer. */
type Outcome = 'done' | 'awaited' | 'failed' | 'unanswered';

/** The number of simultaneous undos per engine. */
const atOnce = 8;

export function undoingOf({ records, providers, inTurn, clock, log, times }: UndoingOptions): Undoing {
  /** Operations and undos in progress, by ID of the record. */
  const busy = new Map<string, { readonly mountId: number; readonly working: Promise<unknown> }>();
  const busyOf = (mountId: number) =>
    busy
      .values()
      .filter((one) => one.mountId === mountId)
      .map(({ working }) => working);
  /** The records whose objects are being created. */
  const beingMade = new Set<UndoRecord>();
  const stopped = new Set<number>();

  /** The engine's current key. @throws Error while a rotation has created a key that it may still configure */
  const configuredKey = async ({ id, mountId }: UndoRecord): Promise<string> => {
    const rotating = beingMade
      .values()
      .some((other) => other.mountId === mountId && other.id !== id && other.undo.kind === 'new root key');
    if (rotating) throw new Error('the root credentials are being rotated');
    return (await providers.of(mountId)).ownKey;
  };
  const putOff = (record: UndoRecord) =>
    records.putOff(record, record.attempts + 1, retryTime(times.retry, record.attempts, clock.now()));
  const undoNow = async (record: UndoRecord): Promise<Outcome> => {
    let found: boolean;
    try {
      found = await inTurn(record.mountId, async () => {
        const provider = await providers.of(record.mountId);
        const isFound = await undoAt(provider, record, () => configuredKey(record));
        if (!isFound && provider.origin !== record.origin)
          throw new Error('the root credentials have since been changed');
        return isFound;
      });
    } catch (error) {
      log.warn('undoing at the provider failed', { error, attempt: record.attempts + 1 });
      await putOff(record);
      return error instanceof ProviderFault && error.unanswered ? 'unanswered' : 'failed';
    }
    const settledTime = record.createdTime + times.settled;
    if (found || clock.now() >= settledTime) {
      await records.remove(record);
      return 'done';
    }
    await records.putOff(record, record.attempts, settledTime);
    return 'awaited';
  };
  const whileBusy = <Result>(record: UndoRecord, work: () => Promise<Result>): Promise<Result> => {
    const working = work().finally(() => busy.delete(record.id));
    busy.set(record.id, { mountId: record.mountId, working });
    return working;
  };
  const undoAlone = (record: UndoRecord) => whileBusy(record, () => undoNow(record));
  const due = bySource<UndoRecord>({
    width: atOnce,
    idOf: ({ id }) => id,
    sourceOf: ({ mountId }) => mountId,
    work: async (record) => busy.has(record.id) || (await undoAlone(record)) !== 'unanswered',
    leaveOut: putOff,
  });

  return {
    async make(mount, making) {
      const refuseStopped = (): void => {
        if (stopped.has(mount.id)) throw badRequest(`"${mount.path}" is being unmounted`);
      };
      refuseStopped();
      const provider = await providers.of(mount.id);
      const now = clock.now();
      const planned = { mountId: mount.id, undo: making.undo, origin: provider.origin };
      const record = await records.add(planned, now, now + times.retry.first);
      return whileBusy(record, async () => {
        let started = false;
        beingMade.add(record);
        try {
          refuseStopped();
          const made = await making.start(provider);
          started = true;
          return await making.finish(provider, made, (tx) => records.clearIn(tx, record));
        } catch (error) {
          // A stored object is removed by its lease or setting instead.
          if (!records.has(record)) throw error;
          if (!started && error instanceof ProviderFault && error.refusedAtOnce) {
            await records.remove(record);
            throw error;
          }
          const outcome = await undoNow(record);
          const left =
            outcome === 'failed' || outcome === 'unanswered'
              ? `; ${nameOf(making.undo)} remains until it can be removed`
              : '';
          throw error instanceof ProviderFault ? refusalOf(error, left) : error;
        } finally {
          beingMade.delete(record);
        }
      });
    },
    noteIn: (tx, made, now) => records.addIn(tx, made, now, now + times.retry.first),
    undo: async (record) => (await undoAlone(record)) === 'done',
    async sweep(now) {
      await due.take(records.due(now, due.held).filter(({ id }) => !busy.has(id)));
    },
    async stop(mount) {
      stopped.add(mount.id);
      await Promise.allSettled(busyOf(mount.id));
      const left: string[] = [];
      let answers = true;
      await inParallel(atOnce, records.ofMount(mount.id), async (record) => {
        const outcome = answers ? await undoAlone(record) : 'unanswered';
        if (outcome === 'unanswered') answers = false;
        if (outcome !== 'done') left.push(nameOf(record.undo));
      });
      return left;
    },
    resume: (mount) => void stopped.delete(mount.id),
    holds: ({ id }) => records.hasOfMount(id),
    forget: ({ id }) => records.removeOfMount(id, [...busy.keys()]),
  };
}

/**
 * Runs an undo. Returns false if the object was not found but could still appear. The engine's current key is never
 * deleted.
 * @param configuredKey called after the keys are listed, so that any listed key that is still needed is already
 * configured
 */
async function undoAt(
  provider: Provider,
  { undo, createdTime, origin }: UndoRecord,
  configuredKey: () => Promise<string>,
): Promise<boolean> {
  switch (undo.kind) {
    case 'user':
      return provider.removeUser(undo.userName);
    case 'old root key':
      if (undo.key === provider.ownKey) return true;
      return (await provider.deleteAccessKey(undo.userName, undo.key)) || provider.origin === origin;
    case 'new root key': {
      const keys = await provider.accessKeys(undo.userName);
      const kept = [undo.oldKey, await configuredKey()];
      const made = keys.filter(
        (key) => !kept.includes(key.id) && Math.abs(key.createdTime - createdTime) < keyWindow,
      );
      for (const { id } of made) await provider.deleteAccessKey(undo.userName, id);
      return made.length > 0;
    }
  }
}

/**
 * The maximum difference of the clocks plus the duration of a call, in milliseconds. A key created further from the
 * record's time is not this one.
 */
const keyWindow = 120_000;

/** Names an undo's object for messages. */
function nameOf(undo: Undo): string {
  switch (undo.kind) {
    case 'user':
      return `the user ${JSON.stringify(undo.userName)}`;
    case 'old root key':
      return `the access key ${undo.key} of ${JSON.stringify(undo.userName)}`;
    case 'new root key':
      return `a new access key of ${JSON.stringify(undo.userName)} beside ${undo.oldKey}`;
  }
}
