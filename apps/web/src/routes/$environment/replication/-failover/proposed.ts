import { clusterAt, replicated, type Cluster } from '../-clusters/cluster.ts';
import { follows } from '../-clusters/following.ts';
import type { Change } from './change.ts';

/** A change as named in the address. */
export interface Named {
  readonly kind: Change['kind'];
  readonly from?: string;
  readonly to?: string;
}

/** Fills in what the address leaves open: the current primary, and its first secondary. */
export function proposed(clusters: readonly Cluster[], { kind, from, to }: Partial<Named>): Named {
  const next = clusterAt(clusters, to);
  const primary =
    from ??
    clusters.find((cluster) => cluster.mode === 'primary' && (next === undefined || follows(next, cluster)))
      ?.place.id ??
    lostPrimary(clusters, to);
  const old = clusterAt(clusters, primary);
  const target =
    to ??
    (old?.mode === 'primary' ? clusters.find((cluster) => follows(cluster, old)) : undefined)?.place.id ??
    clusters.find(({ mode, place }) => mode === 'secondary' && place.id !== primary)?.place.id;
  return {
    kind: kind ?? (old?.mode === 'unread' && old.isDown ? ('unplanned' as const) : ('planned' as const)),
    ...(primary !== undefined && { from: primary }),
    ...(target !== undefined && { to: target }),
  };
}

/** An unread cluster: the last known primary, or else one whose role is unknown. */
function lostPrimary(clusters: readonly Cluster[], to: string | undefined): string | undefined {
  const unread = clusters
    .filter((cluster) => cluster.mode === 'unread')
    .filter(({ place }) => place.id !== to);
  const wasPrimary = unread.find(({ last }) => last?.mode === 'primary');
  return (wasPrimary ?? unread.find((cluster) => !replicated(cluster)))?.place.id;
}
