import { createFileRoute } from '@tanstack/react-router';
import { connectionsQuery, sessionsQuery } from '../../../queries/session.ts';
import { ConnectionsPage } from './ConnectionsPage.tsx';

export const Route = createFileRoute('/$environment/connections/')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(connectionsQuery);
    void queryClient.prefetchQuery(sessionsQuery);
  },
  component: ConnectionsPage,
});
