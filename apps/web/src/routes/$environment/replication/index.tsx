import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { replicationQuery } from '#queries/replication.ts';
import { ReplicationPage } from './ReplicationPage.tsx';

export const Route = createFileRoute('/$environment/replication/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(replicationQuery(environment));
  },
  component: ReplicationPage,
});
