import type { KnownSecondary } from './cluster.ts';

/** Whether a cluster has come back under another identifier since: its primary may go on listing both. */
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
