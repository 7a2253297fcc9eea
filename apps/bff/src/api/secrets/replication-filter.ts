/** Paths filters as the console knows them: paths without the slash at their end. */
import type {
  ReplicationFilter,
  ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import type { Resource } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { PlacedItem } from '#upstreams/secrets-server/namespaces.ts';
import { deleteFilter, readFilter, writeFilter } from '#upstreams/secrets-server/replication.ts';

/** Has a primary send a secondary this: a filter is saved, or deleted where everything is to be sent. */
export async function applyFilter(
  caller: SecretsCaller,
  secondary: string,
  { mode, paths }: ReplicationFilterFields,
): Promise<void> {
  if (mode === 'all') await deleteFilter(caller, secondary);
  else await writeFilter(caller, secondary, { mode, paths: normal(paths).map((path) => `${path}/`) });
}

/** Paths without slashes at their ends, in order, each once. */
export function normal(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.replace(/^\/+|\/+$/g, '')))].sort();
}

/** The filter of a secondary. */
export async function readFilterOf(caller: SecretsCaller, secondary: string): Promise<ReplicationFilter> {
  const filter = await readFilter(caller, secondary);
  if (filter === null) return { secondary, revision: 'none', configured: false, mode: 'all', paths: [] };
  const fields = { mode: filter.mode, paths: normal(filter.paths) };
  return { secondary, revision: hashOf(fields), configured: true, ...fields };
}

/** Whether a filter is the one that was sent, in whatever order its paths are. */
export function isFilter(stored: ReplicationFilter, { mode, paths }: ReplicationFilterFields): boolean {
  if (mode === 'all') return !stored.configured;
  const same = JSON.stringify(normal(stored.paths)) === JSON.stringify(normal(paths));
  return stored.configured && stored.mode === mode && same;
}

/**
 * Whether a secondary with a filter receives what is at a path, as servers decide it.
 * @param filter its paths without the slash at their end
 */
export function isReceived(
  { mode, paths }: ReplicationFilterFields,
  { path, kind, local }: Pick<PlacedItem, 'path' | 'kind' | 'local'>,
): boolean {
  if (local) return false;
  if (mode === 'all') return true;
  const listed = paths.some((one) => path === one || path.startsWith(`${one}/`));
  if (mode === 'deny') return !listed;
  // A namespace is received with what is below it.
  return listed || (kind === 'namespace' && paths.some((one) => one.startsWith(`${path}/`)));
}

/** How the trail and problems call a filter. */
export function filterResource({ transport: { environment, service } }: SecretsCaller, id: string): Resource {
  return { environment, service, kind: 'replication-filter', id };
}
