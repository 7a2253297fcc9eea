/** Paths filters in the console's format, with paths without a trailing slash. */
import type {
  ReplicationFilter,
  ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Resource } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { PlacedItem } from '#upstreams/secrets-server/namespaces.ts';
import { deleteFilter, readFilter, writeFilter } from '#upstreams/secrets-server/replication.ts';

/** Saves a secondary's filter on the primary, or deletes it if everything is to be replicated. */
export async function applyFilter(
  caller: SecretsCaller,
  secondary: string,
  { mode, paths }: ReplicationFilterFields,
): Promise<void> {
  if (mode === 'all') await deleteFilter(caller, secondary);
  else await writeFilter(caller, secondary, { mode, paths: normal(paths).map((path) => `${path}/`) });
}

/** Paths without slashes at their ends, sorted and without duplicates. */
export function normal(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => trimSlashes(path)))].sort();
}

/** A secondary's filter. */
export async function readFilterOf(caller: SecretsCaller, secondary: string): Promise<ReplicationFilter> {
  const filter = await readFilter(caller, secondary);
  if (filter === null) return { secondary, revision: 'none', configured: false, mode: 'all', paths: [] };
  const fields = { mode: filter.mode, paths: normal(filter.paths) };
  return { secondary, revision: hashOf(fields), configured: true, ...fields };
}

/** Whether a stored filter equals the sent one, in any order of paths. */
export function isFilter(stored: ReplicationFilter, { mode, paths }: ReplicationFilterFields): boolean {
  if (mode === 'all') return !stored.configured;
  const same = JSON.stringify(normal(stored.paths)) === JSON.stringify(normal(paths));
  return stored.configured && stored.mode === mode && same;
}

/**
 * Whether a secondary with this filter receives what is at a path, by the servers' rules.
 * @param filter with paths as `normal` returns them
 */
export function receives({
  mode,
  paths,
}: ReplicationFilterFields): (item: Pick<PlacedItem, 'path' | 'kind' | 'local'>) => boolean {
  const listed = new Set(paths);
  return ({ path, kind, local }) => {
    if (local) return false;
    if (mode === 'all') return true;
    const isListed = pathsTo(path).some((one) => listed.has(one));
    if (mode === 'deny') return !isListed;
    // A namespace is received if anything below it is.
    return isListed || (kind === 'namespace' && isAbove(path, paths));
  };
}

/** A path after those of everything that it is in: `a`, `a/b`, `a/b/c`. */
function pathsTo(path: string): string[] {
  return [...path.matchAll(/\/|$/g)].map(({ index }) => path.slice(0, index));
}

/** Whether one of these sorted paths is below a path. */
function isAbove(path: string, paths: readonly string[]): boolean {
  const start = `${path}/`;
  let from = 0;
  let to = paths.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((paths[middle] ?? '') < start) from = middle + 1;
    else to = middle;
  }
  return paths[from]?.startsWith(start) === true;
}

/** A filter in the trail and in problems. */
export function filterResource({ transport: { environment, service } }: SecretsCaller, id: string): Resource {
  return { environment, service, kind: 'replication-filter', id };
}
