import type { Place } from '#core/backend.ts';
import type { PathsFilter } from '../replication-store.ts';

/**
 * Whether a secondary with this filter receives a place. In allow mode, a secondary receives the listed paths,
 * everything in them, and the namespaces above them; in deny mode, everything except the listed paths and their
 * contents. Records of the root namespace itself (policies, the plugin catalog) are always received.
 */
export function includes(filter: PathsFilter | undefined, { namespace, mount }: Place): boolean {
  if (filter === undefined) return true;
  const place = `${namespace}${mount ?? ''}`;
  if (place === '') return true;
  const listed = filter.paths.some((path) => place.startsWith(path));
  if (filter.mode === 'deny') return !listed;
  return listed || (mount === undefined && filter.paths.some((path) => path.startsWith(place)));
}
