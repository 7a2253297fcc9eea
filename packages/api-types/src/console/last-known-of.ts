import type { LastKnownCluster, ReplicationStatus } from './replication-status.ts';

/**
 * The parts of a status that are kept for when the cluster can't be read. Separate from the schemas, which the page
 * doesn't load.
 */
export function lastKnownOf(status: ReplicationStatus): Omit<LastKnownCluster, 'time'> {
  const { mode } = status;
  return {
    mode,
    cluster_id: 'cluster_id' in status ? status.cluster_id : null,
    cluster_address: mode === 'primary' ? status.primary_cluster_addr : null,
  };
}
