import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Identity } from '../../identity/identity.ts';
import type { Barrier } from '../../store/barrier.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import type { ReplicationStore } from '../../store/replication/replication-store.ts';
import { deleteNamespace } from '../../sys/namespaces.ts';

/** How often what the primary removed is cleared away, in milliseconds. */
const interval = 1000;
/** How often entries that nobody needs are let go, in milliseconds. */
const trimInterval = 30_000;

/** What `startHousekeeping` needs. */
export interface HousekeepingParts {
  readonly store: ReplicationStore;
  readonly barrier: Barrier;
  readonly mounts: MountTableStore;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  /** What is done now and then: entries are trimmed, and what was heard of the primary is written down. */
  readonly nowAndThen: () => Promise<void>;
}

/** Work that replication leaves behind. */
export type Housekeeping = ReturnType<typeof startHousekeeping>;

/** Lets nobody keep what replication replaced, and clears away what belonged to what it removed. */
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
    // Not within what applies entries, which goes on meanwhile.
    setImmediate(begin);
  });
  const clearMounts = async (): Promise<void> => {
    const retired = mounts.retired();
    const gone = await leases.endRetired(retired, clock.now());
    for (const mount of gone) await mounts.remove(mount);
    // Providers take their time, which nothing waits for here.
    if (gone.length < retired.length) identity.sweep().catch(() => undefined);
  };
  /** Continues what a process that was killed began. */
  const deleteNamespaces = async (): Promise<void> => {
    for (const namespace of namespaces.interrupted()) {
      // A secondary has the namespaces that its primary has.
      if (store.capture === 'refuse') await namespaces.keep(namespace);
      else await deleteNamespace(identity, mounts, namespace, clock.now());
    }
  };
  const work = async (): Promise<void> => {
    if (barrier.sealed) return;
    await clearMounts();
    await deleteNamespaces().catch((error: unknown) => log.warn('namespace not deleted', { error }));
    if (clock.monotonic() - last < trimInterval) return;
    last = clock.monotonic();
    await nowAndThen();
  };
  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const begin = (): void => {
    if (closed) return;
    run().catch((error: unknown) => log.warn('rows removed by replication not deleted', { error }));
  };
  const timer = setInterval(begin, interval);
  timer.unref();

  return {
    /** Ends it. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
