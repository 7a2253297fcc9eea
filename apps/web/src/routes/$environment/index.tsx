import { createFileRoute } from '@tanstack/react-router';
import { hasService } from '#lib/has-service.ts';
import { queryClient } from '#lib/query-client.ts';
import { newestTargetsQuery, scopesQuery, targetCountQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { connectionsQuery, sessionQuery, sessionsQuery } from '#queries/session.ts';
import { OverviewPage } from './-overview/OverviewPage.tsx';

export const Route = createFileRoute('/$environment/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(connectionsQuery);
    void queryClient.prefetchQuery(sessionsQuery);
    const { environments } = queryClient.getQueryData(sessionQuery.queryKey) ?? { environments: [] };
    if (!environments.some((one) => one.id === environment && hasService(one, 'access'))) return;
    void queryClient.prefetchQuery(scopesQuery(environment));
    void queryClient.prefetchQuery(targetCountQuery(environment, globalScope));
    void queryClient.prefetchQuery(newestTargetsQuery(environment));
  },
  component: OverviewPage,
});
