import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Identity } from '../../identity/identity.ts';
import type { MountTableStore } from '../../store/mounts.ts';
import type { LocalData } from '../role/parts.ts';

/** How long leases are waited for when all data is about to be cleared, in milliseconds. */
const leaseDeadlineMs = 30_000;

/** Leases and initial policies of this cluster, for when its data is cleared. */
export function localData(identity: Identity, mounts: MountTableStore, clock: Clock): LocalData {
  const { leases, leaseStore, namespaces, policies } = identity;
  const everywhere = (): readonly string[] => ['', ...namespaces.paths()];
  const endAll = async (): Promise<number> => {
    let left = 0;
    for (const namespace of everywhere()) {
      for (const mount of mounts.list(namespace)) {
        if (mount.id !== 0) left += (await leases.endOfMount(mount, clock.now())).length;
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
    // Without them nobody could do anything here until the data of the primary has come.
    afterClearing: () => policies.ensureInitial(''),
  };
}
