/** Which environments' secrets servers have the same secrets. */
import type { Replicas } from '@gatehouse/api-types/console/replication-status';
import type { WireReplicationStatus } from '@gatehouse/api-types/services/secrets-replication';
import type { Config } from '#config/config.ts';
import type { Directory } from '../directory.ts';
import { probing } from '../transport.ts';
import { callAs } from './client.ts';
import { readStatus } from './replication.ts';

interface Cluster {
  readonly isSecondary: boolean;
  /**
   * ID of the cluster that all writes go to; undefined if its server can't be reached, or was demoted and has none. Real
   * servers share one ID among all replicas.
   */
  readonly primary: string | undefined;
}

const unread: Cluster = { isSecondary: false, primary: undefined };

export type ReplicasOf = ReturnType<typeof createReplicas>;

/** Reads the clusters' public status each time, without anyone's token. */
export function createReplicas(config: Config, directory: Directory) {
  const places = config.environments.flatMap(({ id, services }) =>
    services.secrets === undefined ? [] : [id],
  );

  /** Null if it isn't replicated. */
  const clusterIn = (environment: string): Promise<Cluster | null> => {
    const server = { ...probing(directory.secrets(environment)), namespace: undefined };
    return readStatus(callAs(server, {})).then(clusterOf, () => unread);
  };

  /**
   * @returns null if an environment's secrets server isn't replicated, or none of the other environments' is one of its
   *   replicas, nor could be
   */
  return async (environment: string): Promise<Replicas | null> => {
    if (!places.includes(environment)) return null;
    const own = await clusterIn(environment);
    if (own === null) return null;
    const others = await Promise.all(
      places
        .filter((other) => other !== environment)
        .map(async (id) => ({ id, cluster: await clusterIn(id) })),
    );
    const { primary } = own;
    const replicated = others.flatMap(({ id, cluster }) => (cluster === null ? [] : [{ ...cluster, id }]));
    const same = replicated.filter((other) => primary !== undefined && other.primary === primary);
    const unknown = replicated.filter((other) => primary === undefined || other.primary === undefined);
    const isSecondary = own.isSecondary && primary !== undefined;
    if (same.length === 0 && unknown.length === 0 && !isSecondary) return null;
    return {
      is_secondary: isSecondary,
      primary: same.find((other) => !other.isSecondary)?.id ?? null,
      environments: same.map(({ id }) => id),
      unknown: unknown.map(({ id }) => id),
    };
  };
}

function clusterOf(status: WireReplicationStatus | null): Cluster | null {
  if (status?.mode === 'primary') return { isSecondary: false, primary: status.cluster_id ?? undefined };
  if (status?.mode !== 'secondary') return null;
  const { primaries, primary_cluster_id: id, cluster_id: shared } = status;
  const primary = primaries.length === 0 ? null : (id ?? primaries[0]?.cluster_id ?? shared);
  return { isSecondary: true, primary: primary ?? undefined };
}
