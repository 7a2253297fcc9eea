import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { activityQuery, unknownActivityQuery } from '#queries/activity.ts';
import { filtersOf, activitySearch } from './activity-search.ts';
import { ActivityPage } from './ActivityPage.tsx';

export const Route = createFileRoute('/$environment/activity/')({
  validateSearch: activitySearch.parse,
  loaderDeps: ({ search }) => filtersOf(activitySearch.parse(search)),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchInfiniteQuery(activityQuery(environment, deps));
    void queryClient.prefetchQuery(unknownActivityQuery(environment));
  },
  component: ActivityPage,
});
