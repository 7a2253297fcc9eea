/** Which clusters can have a secondary, which can become one, and how far a new secondary has come. */
import { reasonOfPerson } from '../-actions/possible.ts';
import { clusterAt, isStarting, type Cluster } from '../-clusters/cluster.ts';
import { follows, knownAt } from '../-clusters/following.ts';

/** Why a cluster can't have a secondary; undefined if it can. */
export function reasonAgainstPrimary(cluster: Cluster): string | undefined {
  switch (cluster.mode) {
    case 'primary':
      return reasonOfPerson(cluster, 'add-secondary');
    case 'unread':
      return cluster.why;
    case 'unsupported':
      return "Its server doesn't support replication.";
    case 'disabled':
      return 'Enable this cluster as a primary first.';
    case 'secondary':
      return "This cluster is a secondary, and a secondary can't have secondaries.";
  }
}

/** Why a cluster can't be added, which would wipe it; undefined if it can. */
export function reasonAgainstAdding(cluster: Cluster): string | undefined {
  switch (cluster.mode) {
    case 'disabled':
      return reasonOfPerson(cluster, 'become-secondary');
    case 'unread':
      return cluster.why;
    case 'unsupported':
      return "Its server doesn't support replication.";
    case 'primary':
      return 'This cluster is a primary. Demote it and point it at another primary instead, which deletes nothing.';
    case 'secondary':
      return 'This cluster is already a secondary. Change its primary instead, which deletes nothing.';
  }
}

export interface Milestone {
  readonly label: string;
  readonly isDone: boolean;
}

/** The milestones of a secondary until it streams from its primary. */
export function milestonesOf(
  clusters: readonly Cluster[],
  primary: string,
  secondary: string,
): readonly Milestone[] {
  const [leader, cluster] = [clusterAt(clusters, primary), clusterAt(clusters, secondary)];
  const isFollowing = follows(cluster, leader);
  const isConnected = isFollowing && cluster.connection === 'ready';
  const isWhole = isConnected && !isStarting(cluster) && cluster.seq !== null;
  const waiting = isFollowing ? (knownAt(leader, cluster)?.lag.entries ?? cluster.lag.entries) : null;
  return [
    { label: 'Data deleted and activation accepted', isDone: cluster?.mode === 'secondary' },
    { label: 'Connected to the primary', isDone: isConnected },
    { label: 'Full copy received', isDone: isWhole },
    { label: 'Up to date', isDone: isWhole && waiting === 0 },
  ];
}
