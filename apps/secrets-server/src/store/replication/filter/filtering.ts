import type { SecretsStore } from '../../database.ts';
import { keepOnly } from '../log/entry-codec.ts';
import { mountPlaces, placeOf } from '../receive/mount-places.ts';
import type { Change, Entry, PathsFilter } from '../replication-store.ts';
import { includes } from './filter.ts';

/** Removes from entries the changes that a filter excludes, and changes in mounts that no longer exist. */
export function filterEntries(
  store: SecretsStore,
  entries: readonly Entry[],
  filter: PathsFilter | undefined,
): readonly Entry[] {
  if (filter === undefined) return entries;
  const mountOf = mountPlaces(store);
  const isIncluded = (change: Change): boolean => {
    // A removal contains only the mount's UUID, which reveals nothing.
    if (change.table === 'mount' && change.values === null) return true;
    const place = placeOf(change, mountOf);
    return place !== undefined && includes(filter, place);
  };
  return entries.map((entry) => ({ seq: entry.seq, time: entry.time, ...keepOnly(entry, isIncluded) }));
}

/** Lists the mounts and namespaces that a filter excludes, by their paths from the root namespace. */
export function excludedBy(
  store: SecretsStore,
  filter: PathsFilter | undefined,
): { readonly mounts: readonly string[]; readonly namespaces: readonly string[] } {
  const { build } = store;
  const mounts = store.all(
    build
      .selectFrom('mount')
      .select(['namespace', 'path'])
      .where('local', '=', 0)
      .where('retired', '=', 0)
      .compile(),
  );
  const namespaces = store.all(build.selectFrom('namespace').select('path').compile());
  return {
    mounts: mounts
      .filter(({ namespace, path }) => !includes(filter, { namespace, mount: path }))
      .map(({ namespace, path }) => `${namespace}${path}`)
      .toSorted(),
    namespaces: namespaces
      .map(({ path }) => path)
      .filter((path) => !includes(filter, { namespace: path }))
      .toSorted(),
  };
}
