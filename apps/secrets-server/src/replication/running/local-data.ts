import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Identity } from '../../identity/identity.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import type { LocalData } from '../role/parts.ts';

/** How long to wait for the revocation of leases before all data is cleared, in milliseconds. */
const leaseDeadlineMs = 30_000;

/** Manages the cluster's own leases and initial policies when its data is cleared. */
export function localData(identity: Identity, mounts: MountTableStore, clock: Clock): LocalData {
  const { leases, leaseStore, namespaces, policies } = identity;
  const everywhere = (): readonly string[] => ['', ...namespaces.paths()];
  const endAll = async (): Promise<number> => {
    let left = 0;
    for (const namespace of everywhere()) {
      for (const mount of mounts.list(namespace)) {
        if (mount.id !== 0) left += (await leases.endOfMount(mount, clock.now())).count;
      }
    }
    return left;
  };

  return {
    async endLeases() {
      const inTime = new AbortController();
      const late = sleep(leaseDeadlineMs, undefined, { signal: inTime.signal }).then(
        () => everywhere().flatMap((namespace) => leaseStore.ids(namespace, '')).length,
        () => 0,
      );
      try {
        return await Promise.race([endAll(), late]);
      } finally {
        inTime.abort();
      }
    },
    // Without policies, no one could use this server until the primary's data arrives.
    afterClearing: () => policies.ensureInitial(''),
  };
}
