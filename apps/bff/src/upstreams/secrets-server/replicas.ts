/** Which environments' secrets servers have the same secrets. */
import type { Replicas } from '@gatehouse/api-types/console/replication-status';
import type { WireReplicationStatus } from '@gatehouse/api-types/services/secrets-replication';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Config } from '#config/config.ts';
import type { Database } from '#store/database.ts';
import type { Directory } from '../directory.ts';
import { knownClusters } from '../known-clusters.ts';
import { probing } from '../transport.ts';
import { callAs } from './client.ts';
import { readStatus } from './replication.ts';

/** How long a cluster's role is believed, in milliseconds. */
const believedFor = 15_000;

interface Cluster {
  readonly isSecondary: boolean;
  /** ID of the cluster that all writes go to. Real servers share one ID among all replicas. */
  readonly primary: string;
}

export type ReplicasOf = ReturnType<typeof createReplicas>;

/**
 * Reads the clusters' public status, without anyone's token. A server that can't be reached keeps the role that it last
 * had: cutting it off must not lower what a change requires.
 */
export function createReplicas(config: Config, directory: Directory, database: Database, clock: Clock) {
  const lastKnown = knownClusters(database, clock);
  const told = new Map<string, { readonly at: number; readonly cluster: Promise<Cluster | null> }>();
  const places = config.environments.flatMap(({ id, services }) =>
    services.secrets === undefined ? [] : [id],
  );

  const lastPrimary = async (environment: string): Promise<Cluster | null> => {
    const last = await lastKnown.of(environment);
    return last?.mode === 'primary' && last.cluster_id !== null
      ? { isSecondary: false, primary: last.cluster_id }
      : null;
  };

  const clusterIn = (environment: string): Promise<Cluster | null> => {
    const known = told.get(environment);
    if (known !== undefined && clock.monotonic() - known.at < believedFor) return known.cluster;
    const server = { ...probing(directory.secrets(environment)), namespace: undefined };
    const cluster = readStatus(callAs(server, {})).then(
      clusterOf,
      () => known?.cluster ?? lastPrimary(environment).finally(() => told.delete(environment)),
    );
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
      return cluster?.primary === own.primary ? [{ environment: id, isSecondary: cluster.isSecondary }] : [];
    });
    if (same.length === 0 && !own.isSecondary) return null;
    return {
      is_secondary: own.isSecondary,
      primary: same.find(({ isSecondary }) => !isSecondary)?.environment ?? null,
      environments: same.map(({ environment: id }) => id),
    };
  };
}

function clusterOf(status: WireReplicationStatus | null): Cluster | null {
  if (status?.mode === 'primary' && status.cluster_id !== null)
    return { isSecondary: false, primary: status.cluster_id };
  if (status?.mode !== 'secondary' || status.primaries.length === 0) return null;
  const primary = status.primary_cluster_id ?? status.primaries[0]?.cluster_id ?? status.cluster_id;
  return primary === null ? null : { isSecondary: true, primary };
}
