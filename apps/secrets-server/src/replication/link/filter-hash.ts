import { createHash } from 'node:crypto';
import type { PathsFilter } from '#store/replication/replication-store.ts';

/** A hash of a filter that ignores the order of its paths; empty without a filter. */
export function filterHash(filter: PathsFilter | undefined): string {
  if (filter === undefined) return '';
  const text = JSON.stringify([filter.mode, filter.paths.toSorted()]);
  return createHash('sha256').update(text).digest('base64url');
}
