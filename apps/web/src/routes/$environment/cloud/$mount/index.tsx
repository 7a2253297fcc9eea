import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery, cloudRolesQuery } from '#queries/cloud.ts';
import { rolesSearch } from './roles-search.ts';
import { RolesPage } from './RolesPage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/')({
  validateSearch: rolesSearch.parse,
  loaderDeps: ({ search }) => rolesSearch.parse(search),
  loader: ({ params: { environment, mount }, deps }) => {
    void queryClient.prefetchQuery(cloudRolesQuery({ environment, mount }, deps));
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: RolesPage,
});
