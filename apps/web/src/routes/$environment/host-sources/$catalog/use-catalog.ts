import type { HostCatalog } from '@gatehouse/api-types/console/host-sources';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { crumbsOf } from '#components/places/host-sources.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';

/** An item's catalog, and its breadcrumbs, with the catalog's ID until its name is loaded. */
export function useCatalog(id: string): {
  readonly catalog: HostCatalog | undefined;
  readonly ancestors: ReturnType<typeof crumbsOf>;
} {
  const environment = useEnvironment();
  const { data } = useQuery(recordQuery(hostCatalogs, environment.id, id));
  return { catalog: data, ancestors: crumbsOf(environment.id, data ?? { id, name: '' }) };
}
