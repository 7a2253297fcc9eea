import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { connectionsQuery, sessionsQuery } from '#queries/session.ts';
import { ConnectionsPage } from './ConnectionsPage.tsx';

export const Route = createFileRoute('/$environment/connections/')({
  loader: () => {
    void queryClient.prefetchQuery(connectionsQuery);
    void queryClient.prefetchQuery(sessionsQuery);
  },
  component: ConnectionsPage,
});
