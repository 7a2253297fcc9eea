import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { catalogSearch } from './catalog-search.ts';
import { CatalogPage } from './CatalogPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/')({
  validateSearch: catalogSearch.parse,
  loader: ({ params: { environment, catalog } }) => {
    void queryClient.prefetchQuery(recordQuery(hostCatalogs, environment, catalog));
    void queryClient.prefetchQuery(recordListQuery(hostSets, environment, catalog));
    void queryClient.prefetchQuery(recordListQuery(hosts, environment, catalog));
  },
  component: CatalogPage,
});
