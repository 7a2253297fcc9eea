/** How long secondaries have made no progress, as observed by the page. */
import type { Cluster, Lag } from './cluster.ts';
import type { LinkEnd } from './link-state.ts';

/** The entry at which a secondary makes no progress while others wait, and since when, by cluster ID. */
export type Progress = ReadonlyMap<string, { readonly appliedSeq: number; readonly since: number }>;

export const noProgress: Progress = new Map();

/** Progress after another reading. A secondary that lacks nothing isn't stalled: it has nothing to do. */
export function watched(before: Progress, clusters: readonly Cluster[], now: number): Progress {
  const after = new Map<string, { appliedSeq: number; since: number }>();
  for (const [id, lag] of lagsOf(clusters)) {
    const { appliedSeq, entries } = lag;
    if (appliedSeq === null) continue;
    const known = before.get(id);
    const stands = known?.appliedSeq === appliedSeq && entries !== null && entries > 0;
    const since = Math.min(stands ? known.since : now, after.get(id)?.since ?? now);
    after.set(id, { appliedSeq, since });
  }
  return after;
}

/** The earlier entry that a link's state is judged by. */
export function earlierOf(progress: Progress, now: number): (clusterId: string) => LinkEnd['earlier'] {
  return (clusterId) => {
    const known = progress.get(clusterId);
    return known && { appliedSeq: known.appliedSeq, agoMs: now - known.since };
  };
}

/** Lags by cluster ID. A secondary's own report takes precedence over its primary's. */
function lagsOf(clusters: readonly Cluster[]): ReadonlyMap<string, Lag> {
  const lags = new Map<string, Lag>();
  for (const cluster of clusters) {
    if (cluster.mode !== 'primary') continue;
    for (const { clusterId, lag } of cluster.secondaries) if (clusterId !== null) lags.set(clusterId, lag);
  }
  for (const cluster of clusters) {
    if (cluster.mode !== 'secondary' || cluster.clusterId === null) continue;
    const known = lags.get(cluster.clusterId);
    lags.set(cluster.clusterId, {
      ...cluster.lag,
      appliedSeq: cluster.lag.appliedSeq ?? known?.appliedSeq ?? null,
      entries: cluster.lag.entries ?? known?.entries ?? null,
    });
  }
  return lags;
}
