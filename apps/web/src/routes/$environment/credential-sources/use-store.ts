import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { crumbsOf } from '#components/places/credential-sources.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';

/** The breadcrumbs for items of a store, with the store's ID until its name is loaded. */
export function useStoreCrumbs(id: string): ReturnType<typeof crumbsOf> {
  const environment = useEnvironment();
  const { data } = useQuery(recordQuery(credentialStores, environment.id, id));
  return crumbsOf(environment.id, data ?? { id, name: '' });
}
