import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { recordQuery } from '#queries/record-life.ts';
import { replicationFilters } from '#queries/replication.ts';
import { FilterPage } from './FilterPage.tsx';

export const Route = createFileRoute('/$environment/replication/filters/$secondary/')({
  loader: ({ params: { environment, secondary } }) => {
    void queryClient.prefetchQuery(recordQuery(replicationFilters, environment, secondary));
  },
  component: FilterPage,
});
