import type { Scope } from '@gatehouse/api-types/console/scopes';

/** The projects in which the person may create records of a collection, for example `host-catalogs`. */
export function projectsToCreateIn(scopes: readonly Scope[], collection: string): readonly Scope[] {
  return scopes.filter(
    ({ type, authorized_collection_actions: actions }) =>
      type === 'project' && actions[collection]?.includes('create') === true,
  );
}

/** Why nothing can be created in any project; undefined where one of them allows it. */
export function reasonAgainstAnyProject(
  scopes: readonly Scope[] | undefined,
  collection: string,
  many: string,
): string | undefined {
  if (scopes === undefined) return 'What you may do here is not known yet.';
  if (projectsToCreateIn(scopes, collection).length > 0) return undefined;
  return scopes.some(({ type }) => type === 'project')
    ? `Your role at the access controller does not let you create ${many} in any project.`
    : `There is no project yet that could hold ${many}.`;
}
