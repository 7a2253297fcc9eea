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

  store.onReplaced((policiesOf) => {
    mounts.forget();
    for (const namespace of policiesOf ?? [undefined]) policies.forget(namespace);
    tokens.forget();
    namespaces.reload();
    // Runs later, because replication is still applying entries.
    setImmediate(begin);
  });
  /** What failed the last time it was tried, by message and resource. */
  const failing = new Set<string>();
  /** Does work that is retried at each run. Its failure keeps nothing else from being done, and is logged once. */
  const attempt = async (message: string, resourceId: string, doIt: () => Promise<void>): Promise<void> => {
    const name = `${message} ${resourceId}`;
    try {
      await doIt();
      failing.delete(name);
    } catch (error) {
      if (!failing.has(name)) log.warn(message, { resourceId, error });
      failing.add(name);
    }
  };
  const clearMounts = async (): Promise<void> => {
    let areLeasesLeft = false;
    for (const mount of mounts.retired()) {
      await attempt('mount not deleted', mount.uuid, async () => {
        const [gone] = await leases.endRetired([mount], clock.now());
        if (gone === undefined) areLeasesLeft = true;
        else await mounts.remove(gone);
      });
    }
    // Runs in the background, because providers may be slow.
    if (areLeasesLeft) identity.sweep().catch(() => undefined);
  };
  /** Resumes deletions that an earlier process began. */
  const deleteNamespaces = async (): Promise<void> => {
    for (const namespace of namespaces.interrupted()) {
      // On a secondary, the primary decides which namespaces exist.
      await attempt('namespace not deleted', namespace.uuid, () =>
        store.capture === 'refuse'
          ? namespaces.keep(namespace)
          : deleteNamespace(identity, mounts, namespace, clock.now()),
      );
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
