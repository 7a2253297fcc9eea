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
  /** The cluster that all writes go to. */
  readonly root: string;
  readonly isSecondary: boolean;
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
    const same = others.filter((_, index) => clusters[index]?.root === own.root);
    if (same.length === 0 && !own.isSecondary) return null;
    const primary = others.find(
      (_, index) => clusters[index]?.root === own.root && !clusters[index].isSecondary,
    );
    return { is_secondary: own.isSecondary, primary: primary ?? null, environments: same };
  };
}

function clusterOf(status: WireReplicationStatus | null): Cluster | null {
  if (status?.mode === 'primary' && status.cluster_id !== null)
    return { root: status.cluster_id, isSecondary: false };
  const root =
    status?.mode === 'secondary' ? (status.primary_cluster_id ?? status.primaries[0]?.cluster_id) : null;
  return root == null ? null : { root, isSecondary: true };
}
