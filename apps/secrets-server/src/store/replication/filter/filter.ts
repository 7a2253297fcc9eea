import type { Place } from '#core/backend.ts';
import type { PathsFilter } from '../replication-store.ts';

/**
 * Whether a secondary with this filter receives what is at a place. In allow mode it is what a listed path names or
 * contains, and the namespaces that lead there; in deny mode everything else than that. What belongs to the root
 * namespace itself (policies, the plugin catalog) is always received.
 */
export function includes(filter: PathsFilter | undefined, { namespace, mount }: Place): boolean {
  if (filter === undefined) return true;
  const place = `${namespace}${mount ?? ''}`;
  if (place === '') return true;
  const listed = filter.paths.some((path) => place.startsWith(path));
  if (filter.mode === 'deny') return !listed;
  return listed || (mount === undefined && filter.paths.some((path) => path.startsWith(place)));
}
