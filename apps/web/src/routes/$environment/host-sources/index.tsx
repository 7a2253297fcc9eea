import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { scopesQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';
import { HostSourcesPage } from './HostSourcesPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    void queryClient.prefetchQuery(recordListQuery(hostCatalogs, environment, globalScope));
  },
  component: HostSourcesPage,
});
