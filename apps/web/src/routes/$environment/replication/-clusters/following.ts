/** Which primary a secondary follows, from what both report. */
import {
  clusterIdOf,
  type Cluster,
  type KnownSecondary,
  type PrimaryCluster,
  type SecondaryCluster,
} from './cluster.ts';

/** Whether a secondary names this cluster as its primary: by ID, or by address if an ID is unknown. */
export function namesAsPrimary(secondary: SecondaryCluster, primary: Cluster): boolean {
  const id = clusterIdOf(primary);
  if (secondary.primaryClusterId !== null && id !== null) return secondary.primaryClusterId === id;
  const address =
    primary.mode === 'primary'
      ? primary.clusterAddress
      : primary.mode === 'unread'
        ? primary.last?.clusterAddress
        : null;
  return address !== null && address !== undefined && secondary.primaryAddresses.includes(address);
}

/** A primary's record of an environment's cluster. */
export function knownAt(
  primary: Cluster | undefined,
  cluster: Cluster | undefined,
): KnownSecondary | undefined {
  if (primary?.mode !== 'primary' || cluster?.mode !== 'secondary') return undefined;
  return primary.secondaries.find(({ id, clusterId }) =>
    clusterId !== null && cluster.clusterId !== null
      ? clusterId === cluster.clusterId
      : id === cluster.secondaryId,
  );
}

/** Whether a cluster is a secondary of another, whatever the other's mode is now. */
export function follows(
  cluster: Cluster | undefined,
  primary: Cluster | undefined,
): cluster is SecondaryCluster {
  if (primary === undefined || cluster?.mode !== 'secondary' || cluster.standing === 'alone') return false;
  if (namesAsPrimary(cluster, primary)) return true;
  const isTold = cluster.primaryClusterId !== null && clusterIdOf(primary) !== null;
  return !isTold && knownAt(primary, cluster) !== undefined;
}

/** The primary that a cluster follows, among current primaries. */
export function primaryOf(
  clusters: readonly Cluster[],
  cluster: Cluster | undefined,
): PrimaryCluster | undefined {
  return clusters.filter((other) => other.mode === 'primary').find((other) => follows(cluster, other));
}
