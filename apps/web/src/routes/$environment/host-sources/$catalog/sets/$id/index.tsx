import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { HostSetPage } from './HostSetPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/')({
  loader: ({ params: { environment, catalog, id } }) => {
    void queryClient.prefetchQuery(recordQuery(hostCatalogs, environment, catalog));
    void queryClient.prefetchQuery(recordQuery(hostSets, environment, id));
    void queryClient.prefetchQuery(recordListQuery(hosts, environment, catalog));
  },
  component: HostSetPage,
});
