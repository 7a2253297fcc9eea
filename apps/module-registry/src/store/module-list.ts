import type { Slices } from '@gatehouse/service-kit/slices';
import { sql } from 'kysely';
import type { Module, VersionSummary } from '../domain/module.ts';
import { newestOf } from '../domain/version-number.ts';
import type { RegistryStore } from './database.ts';
import { summaryColumns, toModule, toSummary } from './module-rows.ts';

/** The filters of a list of modules; missing ones don't restrict it. */
export interface ModuleFilter {
  readonly namespace?: string;
  readonly name?: string;
  readonly provider?: string;
  readonly verified?: true;
  /** Whether the latest version is deprecated, or all versions are revoked. */
  readonly deprecated?: boolean;
  /** Lower-case words that must all occur in the address or the description. */
  readonly words?: readonly string[];
}

/** A module with its latest version, without the content of the archive. */
export interface ListedModule {
  readonly module: Module;
  /** The newest version if all are revoked. */
  readonly latest: VersionSummary;
}

/** Modules searched at a time before giving way to other work, by their IDs, which have no large gaps. */
const stretch = 1000;

/**
 * Whether a module's latest version is deprecated, or all versions are revoked. A revoked version is never the
 * latest.
 */
const isDeprecated = sql<number>`coalesce(
  (SELECT deprecation IS NOT NULL FROM version WHERE version.id = latest_id),
  EXISTS (SELECT 1 FROM version WHERE version.module_id = module.id AND deleted_time IS NULL))`;

/**
 * Lists modules with a latest version, in order of creation. With `deprecated` also those whose versions are all
 * revoked, with their newest version. Searches a stretch of modules at a time, since all of them may be many.
 * @returns a function that throws HttpError 499 if the client has left
 */
export function moduleList(store: RegistryStore) {
  const { build } = store;
  const selectVersions = build.selectFrom('version').where('deleted_time', 'is', null);

  const newestOfAll = (moduleId: number): number | undefined => {
    const rows = store.all(
      selectVersions.select(['id', 'version']).where('module_id', '=', moduleId).compile(),
    );
    const newest = newestOf(rows.map((row) => row.version));
    return rows.find((row) => row.version === newest)?.id;
  };

  return async (
    filter: ModuleFilter,
    offset: number,
    limit: number,
    slices: Slices,
  ): Promise<readonly ListedModule[]> => {
    let query = build.selectFrom('module').select('id').orderBy('id');
    if (filter.deprecated !== true) query = query.where('latest_id', 'is not', null);
    if (filter.deprecated !== undefined) query = query.where(isDeprecated, '=', filter.deprecated ? 1 : 0);
    if (filter.namespace !== undefined) query = query.where('namespace', '=', filter.namespace);
    if (filter.name !== undefined) query = query.where('name', '=', filter.name);
    if (filter.provider !== undefined) query = query.where('provider', '=', filter.provider);
    if (filter.verified === true) query = query.where('verified', '=', 1);
    for (const word of filter.words ?? []) query = query.where(sql<boolean>`instr(search, ${word}) > 0`);
    const ids: number[] = [];
    let passed = 0;
    const newest = store.get(
      build.selectFrom('module').select('id').orderBy('id', 'desc').limit(1).compile(),
    );
    for (let from = 0; from < (newest?.id ?? 0) && ids.length < limit; from += stretch) {
      await slices.giveWay();
      const found = store.all(
        query
          .where('id', '>', from)
          .where('id', '<=', from + stretch)
          .compile(),
      );
      const skipped = Math.min(found.length, offset - passed);
      passed += skipped;
      ids.push(...found.slice(skipped, skipped + limit - ids.length).map(({ id }) => id));
    }
    if (ids.length === 0) return [];
    const rows = store.all(
      build.selectFrom('module').selectAll().where('id', 'in', ids).orderBy('id').compile(),
    );
    const latestIds: number[] = [];
    for (const { id, latest_id } of rows) {
      if (latest_id === null) await slices.giveWay();
      const shownId = latest_id ?? newestOfAll(id);
      if (shownId !== undefined) latestIds.push(shownId);
    }
    const shown = new Map(
      store
        .all(selectVersions.select(summaryColumns).where('id', 'in', latestIds).compile())
        .map((row) => [row.module_id, toSummary(row)]),
    );
    return rows.flatMap((row) => {
      const latest = shown.get(row.id);
      return latest === undefined ? [] : { module: toModule(row), latest };
    });
  };
}
