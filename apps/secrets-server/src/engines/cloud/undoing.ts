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

/** Something that is made at the provider, and undone unless it is kept. */
export interface Making<Made, Result> {
  /** Noted before it is made. */
  readonly undo: Undo;
  /** The first call that makes something: refused at once, there is nothing to undo. */
  start(provider: Provider): Promise<Made>;
  /** The rest. @param keep called within the transaction that makes it a lease or a setting */
  finish(provider: Provider, made: Made, keep: (tx: SecretsWriter) => void): Promise<Result>;
}

/** Makes things at the provider so that none is left there that nobody knows of. */
export interface Undoing {
  /**
   * Notes what is about to be made, then makes it. When making fails it is undone, at once if the provider lets it, else
   * again and again.
   * @throws Refusal that names what could not be undone yet; 400 while the engine is being unmounted
   */
  make<Made, Result>(mount: Mount, making: Making<Made, Result>): Promise<Result>;
  /** Notes something to undo, within the transaction that makes it so. */
  noteIn(tx: SecretsWriter, made: NewUndo, now: number): UndoRecord;
  /** Undoes something now, or later when that fails: whether it is done. */
  undo(record: UndoRecord): Promise<boolean>;
  /** Undoes what is due and nobody is making. */
  sweep(now: number): Promise<void>;
  /** Lets an engine make nothing more; answers what could not be undone yet. */
  stop(mount: Mount): Promise<string[]>;
  /** Lets it make things again. */
  resume(mount: Mount): void;
  /** Whether there is something of an engine to undo. */
  holds(mount: Mount): boolean;
  /** Gives up what could not be undone, unless it is being made right now. */
  forget(mount: Mount): Promise<void>;
}

/** What `undoingOf` needs. */
export interface UndoingOptions {
  readonly records: UndoStore;
  readonly providers: Providers;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: Pick<CloudTimes, 'retry' | 'settled'>;
}

/** What became of undoing something: it is done, may still turn up, or failed with an answer or without. */
type Outcome = 'done' | 'awaited' | 'failed' | 'unanswered';

/** How many are undone at a time. */
const atOnce = 8;

/** Undoes by the records of a store. */
export function undoingOf({ records, providers, clock, log, times }: UndoingOptions): Undoing {
  /** What is being made or undone in this process, by id of the record. */
  const busy = new Map<string, Promise<unknown>>();
  const busyOf = (mountId: number) => records.ofMount(mountId).flatMap(({ id }) => busy.get(id) ?? []);
  /** Ids of the records of what is being made. */
  const beingMade = new Set<string>();
  const stopped = new Set<number>();

  /** The engine's own key as it is now. @throws Error while a rotation has made one that it may still configure */
  const configuredKey = async ({ id, mountId }: UndoRecord): Promise<string> => {
    const rotating = records
      .ofMount(mountId)
      .some((other) => other.id !== id && other.undo.kind === 'new root key' && beingMade.has(other.id));
    if (rotating) throw new Error('the root credentials are being rotated');
    return (await providers.of(mountId)).ownKey;
  };
  const putOff = (record: UndoRecord) =>
    records.putOff(record, record.attempts + 1, retryTime(times.retry, record.attempts, clock.now()));
  const undoNow = async (record: UndoRecord): Promise<Outcome> => {
    let found: boolean;
    try {
      const provider = await providers.of(record.mountId);
      found = await undoAt(provider, record, () => configuredKey(record));
      if (!found && provider.origin !== record.origin)
        throw new Error('the root credentials have since been changed');
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
    busy.set(record.id, working);
    return working;
  };
  const undoAlone = (record: UndoRecord) => whileBusy(record, () => undoNow(record));
  const undo = async (record: UndoRecord): Promise<boolean> => (await undoAlone(record)) === 'done';
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
        beingMade.add(record.id);
        try {
          refuseStopped();
          const made = await making.start(provider);
          started = true;
          return await making.finish(provider, made, (tx) => records.clearIn(tx, record));
        } catch (error) {
          // Once it is kept, whoever keeps it takes it back.
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
          beingMade.delete(record.id);
        }
      });
    },
    noteIn: (tx, made, now) => records.addIn(tx, made, now, now + times.retry.first),
    undo,
    async sweep(now) {
      await due.take(records.due(now, due.held).filter(({ id }) => !busy.has(id)));
    },
    async stop(mount) {
      stopped.add(mount.id);
      await Promise.allSettled(busyOf(mount.id));
      const left: string[] = [];
      await inParallel(atOnce, records.ofMount(mount.id), async (record) => {
        if (!(await undo(record))) left.push(nameOf(record.undo));
      });
      return left;
    },
    resume: (mount) => void stopped.delete(mount.id),
    holds: ({ id }) => records.ofMount(id).length > 0,
    async forget({ id: mountId }) {
      const idle = records.ofMount(mountId).filter(({ id }) => !busy.has(id));
      await Promise.all(idle.map((record) => records.remove(record)));
    },
  };
}

/**
 * Undoes one thing: whether it was there, or could not have been. A key that the engine works with stays.
 * @param configuredKey asked after the keys were listed: what is listed and still wanted is configured by then
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

/** Clocks differ by no more than this, and no key is asked for longer, in milliseconds. */
const keyWindow = 120_000;

/** How an answer names what is left. */
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
