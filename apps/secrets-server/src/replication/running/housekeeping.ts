import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Identity } from '../../identity/identity.ts';
import type { Barrier } from '../../store/barrier.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import type { ReplicationStore } from '../../store/replication/replication-store.ts';
import { deleteNamespace } from '../../sys/namespaces.ts';

/** The interval of cleaning up after the primary's removals, in milliseconds. */
const interval = 1000;
/** The interval of trimming the log, in milliseconds. */
const trimInterval = 30_000;

export interface HousekeepingParts {
  readonly store: ReplicationStore;
  readonly barrier: Barrier;
  readonly mounts: MountTableStore;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  /** Less frequent work: trims the log and saves the primary's last known state. */
  readonly nowAndThen: () => Promise<void>;
}

export type Housekeeping = ReturnType<typeof startHousekeeping>;

/** Clears caches when replication replaces records, and cleans up what removed records leave behind. */
export function startHousekeeping(parts: HousekeepingParts) {
  const { store, barrier, mounts, identity, clock, log, nowAndThen } = parts;
  const { leases, namespaces, policies, tokens } = identity;
  let last = clock.monotonic();
  let running: Promise<void> | undefined;
  let closed = false;

  store.onReplaced(() => {
    mounts.forget();
    policies.forget();
    tokens.forget();
    namespaces.reload();
    // Runs later, because replication is still applying entries.
    setImmediate(begin);
  });
  const clearMounts = async (): Promise<void> => {
    const retired = mounts.retired();
    const gone = await leases.endRetired(retired, clock.now());
    for (const mount of gone) await mounts.remove(mount);
    // Runs in the background, because providers may be slow.
    if (gone.length < retired.length) identity.sweep().catch(() => undefined);
  };
  /** Resumes deletions that an earlier process began. */
  const deleteNamespaces = async (): Promise<void> => {
    for (const namespace of namespaces.interrupted()) {
      // On a secondary, the primary decides which namespaces exist.
      const work =
        store.capture === 'refuse'
          ? namespaces.keep(namespace)
          : deleteNamespace(identity, mounts, namespace, clock.now());
      await work.catch((error: unknown) => log.warn('namespace not deleted', { error }));
    }
  };
  const trim = async (): Promise<void> => {
    if (clock.monotonic() - last < trimInterval) return;
    last = clock.monotonic();
    await nowAndThen();
  };
  /** Runs each step, whatever became of the previous ones. */
  const work = async (): Promise<void> => {
    if (barrier.sealed) return;
    await clearMounts().catch((error: unknown) => log.warn('mounts not deleted', { error }));
    await deleteNamespaces();
    await trim().catch((error: unknown) => log.warn('replication log not trimmed', { error }));
  };
  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const begin = (): void => {
    if (!closed) void run();
  };
  const timer = setInterval(begin, interval);
  timer.unref();

  return {
    /** Stops the timer and waits for the work in progress. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
