import { useQueries, useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { nameOrId } from '#components/record/record-kind.ts';
import { targetQuery } from '#queries/access.ts';
import { hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';

/** The maximum number of names looked up one by one; targets have few host sources. */
const lookedUpLimit = 30;

/** The names and sizes of a target's host sets by ID, which the target itself doesn't contain. */
export function useHostSetNames(
  target: string,
): ReadonlyMap<
  string,
  { readonly name: string; readonly catalog: string; readonly count: number | undefined }
> {
  const environment = useEnvironment();
  const { data } = useQuery(targetQuery(environment.id, target));
  const sources = data?.host_sources ?? [];
  const found = useQueries({
    queries: sources
      .slice(0, lookedUpLimit)
      .map(({ id }) => ({ ...recordQuery(hostSets, environment.id, id), retry: false })),
  });
  return new Map(
    sources.map(({ id, host_catalog_id: catalog }, index) => {
      const set = found[index]?.data;
      return [id, { name: set === undefined ? id : nameOrId(set), catalog, count: set?.host_ids.length }];
    }),
  );
}
