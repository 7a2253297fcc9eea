import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { activityQuery, unknownActivityQuery } from '#queries/activity.ts';
import { filtersOf, parseActivitySearch } from './activity-search.ts';
import { ActivityPage } from './ActivityPage.tsx';

export const Route = createFileRoute('/$environment/activity/')({
  validateSearch: parseActivitySearch,
  loaderDeps: ({ search }) => filtersOf(search),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchInfiniteQuery(activityQuery(environment, deps));
    void queryClient.prefetchQuery(unknownActivityQuery(environment));
  },
  component: ActivityPage,
});
