import { clusterAt, replicated, type Cluster } from '../-clusters/cluster.ts';
import { follows } from '../-clusters/following.ts';
import type { Change } from './change.ts';

/** A change by what the address says of it. */
export interface Named {
  readonly kind: Change['kind'];
  readonly from?: string;
  readonly to?: string;
}

/** What the address leaves open: the primary that there is, and its first secondary. */
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

/** One that can't be read: the one that was the primary, unless nobody knows which one was. */
function lostPrimary(clusters: readonly Cluster[], to: string | undefined): string | undefined {
  const unread = clusters
    .filter((cluster) => cluster.mode === 'unread')
    .filter(({ place }) => place.id !== to);
  const wasPrimary = unread.find(({ last }) => last?.mode === 'primary');
  return (wasPrimary ?? unread.find((cluster) => !replicated(cluster)))?.place.id;
}
