import type { KnownSecondary } from './cluster.ts';

/** Whether a cluster has reconnected under another ID. Its primary may still list both. */
export function isReplaced(
  all: readonly KnownSecondary[],
  { id, clusterId, connection }: KnownSecondary,
): boolean {
  return (
    clusterId !== null &&
    connection !== 'ready' &&
    all.some((other) => other.id !== id && other.clusterId === clusterId && other.connection === 'ready')
  );
}
