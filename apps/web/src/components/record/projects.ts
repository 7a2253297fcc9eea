import type { Scope } from '@gatehouse/api-types/console/scopes';

/** The projects in which the user may create records of a collection, for example `host-catalogs`. */
export function projectsToCreateIn(scopes: readonly Scope[], collection: string): readonly Scope[] {
  return scopes.filter(
    ({ type, authorized_collection_actions: actions }) =>
      type === 'project' && actions[collection]?.includes('create') === true,
  );
}
