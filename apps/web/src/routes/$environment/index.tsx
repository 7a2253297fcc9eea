import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { newestTargetsQuery, scopesQuery, targetCountQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { connectionsQuery, sessionsQuery } from '#queries/session.ts';
import { OverviewPage } from './-overview/OverviewPage.tsx';

export const Route = createFileRoute('/$environment/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(connectionsQuery);
    void queryClient.prefetchQuery(sessionsQuery);
    void queryClient.prefetchQuery(scopesQuery(environment));
    void queryClient.prefetchQuery(targetCountQuery(environment, globalScope));
    void queryClient.prefetchQuery(newestTargetsQuery(environment));
  },
  component: OverviewPage,
});
