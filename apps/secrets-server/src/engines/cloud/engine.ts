import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Environment } from '../../domain/cloud/root.ts';
import type { Leases } from '../../identity/leases.ts';
import type { Barrier } from '../../store/barrier.ts';
import { cloudStore } from '../../store/cloud/cloud-store.ts';
import type { CloudStore } from '../../store/cloud/cloud-store.ts';
import { undoStore } from '../../store/cloud/undo-store.ts';
import type { SecretsStore } from '../../store/database.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import { cloudEngine, cloudKeeper, userTimes } from './keeper.ts';
import { providersOf } from './providers.ts';
import type { Providers } from './providers.ts';
import type { CloudTimes } from './times.ts';
import { removalTurns, requestTurns } from './turns.ts';
import type { RequestTurns } from './turns.ts';
import { undoingOf } from './undoing.ts';
import type { Undoing } from './undoing.ts';

/** The services that the operations of cloud engines share. */
export interface Engine {
  readonly store: CloudStore;
  readonly providers: Providers;
  readonly undoing: Undoing;
  readonly leases: Leases;
  readonly clock: Clock;
  /** The turns of requests that call a provider. */
  readonly inTurn: RequestTurns;
  /** The pauses in milliseconds before a new key is tried again that the provider does not accept yet. */
  readonly keyTrials: readonly number[];
}

export interface CloudOptions {
  readonly store: SecretsStore;
  readonly barrier: Barrier;
  readonly mounts: Pick<MountTableStore, 'find' | 'namespaceOf'>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly log: Log;
  /** The environment variables with credentials for engines without their own. */
  readonly environment: Environment;
  readonly times: CloudTimes;
}

/** Opens the shared services of all cloud engines, and registers them to revoke leases. */
export function openCloudEngine(options: CloudOptions): Engine {
  const { store, barrier, mounts, leases, clock, log, environment, times } = options;
  const kept = cloudStore(store, barrier);
  const providers = providersOf(kept, environment, (mountId) => mounts.namespaceOf(mountId) === '');
  barrier.onLock(() => providers.forget());
  const inTurn = removalTurns((mountId) => mounts.namespaceOf(mountId), providers.closed);
  const records = undoStore(store, barrier);
  const undoing = undoingOf({ records, providers, inTurn, clock, log, times });
  leases.register(
    cloudEngine,
    cloudKeeper({ providers, undoing, inTurn }, (lease) => {
      const mount = mounts.find(lease.namespace, lease.id);
      return mount?.id === lease.mountId ? userTimes(kept, mount) : undefined;
    }),
  );
  return {
    store: kept,
    providers,
    undoing,
    leases,
    clock,
    inTurn: requestTurns(),
    keyTrials: times.keyTrials,
  };
}
