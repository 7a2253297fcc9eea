/** Which environments' secrets servers have the same secrets. */
import type { Replicas } from '@gatehouse/api-types/console/replication-status';
import type { WireReplicationStatus } from '@gatehouse/api-types/services/secrets-replication';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Config } from '#config/config.ts';
import type { Directory } from '../directory.ts';
import { probing } from '../transport.ts';
import { callAs } from './client.ts';
import { readStatus } from './replication.ts';

/** How long a cluster's role is believed, in milliseconds. */
const believedFor = 15_000;

interface Cluster {
  readonly id: string | null;
  readonly isSecondary: boolean;
  /** Cluster addresses of the primary that all writes go to. */
  readonly addresses: readonly string[];
}

export type ReplicasOf = ReturnType<typeof createReplicas>;

/** Reads the clusters' public status, without anyone's token. */
export function createReplicas(config: Config, directory: Directory, clock: Clock) {
  const told = new Map<string, { readonly at: number; readonly cluster: Promise<Cluster | null> }>();
  const places = config.environments.flatMap(({ id, services }) =>
    services.secrets === undefined ? [] : [id],
  );

  const clusterIn = (environment: string): Promise<Cluster | null> => {
    const known = told.get(environment);
    if (known !== undefined && clock.monotonic() - known.at < believedFor) return known.cluster;
    const server = { ...probing(directory.secrets(environment)), namespace: undefined };
    const cluster = readStatus(callAs(server, {})).then(clusterOf, () => {
      told.delete(environment);
      return null;
    });
    told.set(environment, { at: clock.monotonic(), cluster });
    return cluster;
  };

  /**
   * @returns null if an environment's secrets server isn't replicated, or none of the other environments' is known to be
   *   one of its replicas
   */
  return async (environment: string): Promise<Replicas | null> => {
    const own = places.includes(environment) ? await clusterIn(environment) : null;
    if (own === null) return null;
    const others = places.filter((other) => other !== environment);
    const clusters = await Promise.all(others.map(clusterIn));
    const same = others.flatMap((id, index) => {
      const cluster = clusters[index];
      return cluster != null && areReplicas(own, cluster)
        ? [{ environment: id, isSecondary: cluster.isSecondary }]
        : [];
    });
    if (same.length === 0 && !own.isSecondary) return null;
    return {
      is_secondary: own.isSecondary,
      primary: same.find(({ isSecondary }) => !isSecondary)?.environment ?? null,
      environments: same.map(({ environment: id }) => id),
    };
  };
}

/** @returns null if it isn't replicated, or has no primary that it could pass changes on to */
function clusterOf(status: WireReplicationStatus | null): Cluster | null {
  if (status?.mode !== 'primary' && status?.mode !== 'secondary') return null;
  const addresses = [status.primary_cluster_addr ?? '', ...status.known_primary_cluster_addrs].filter(
    Boolean,
  );
  const isSecondary = status.mode === 'secondary';
  return isSecondary && addresses.length === 0 ? null : { id: status.cluster_id, isSecondary, addresses };
}

/**
 * Whether clusters have the same primary. The ID that all replicas of a real server share is enough. Embedded servers
 * tell a primary's ID only to signed-in users, so its address counts too; two primaries may both have a loopback
 * address.
 */
function areReplicas(one: Cluster, other: Cluster): boolean {
  if (one.id !== null && one.id === other.id) return true;
  return (
    (one.isSecondary || other.isSecondary) &&
    one.addresses.some((address) => other.addresses.includes(address))
  );
}
