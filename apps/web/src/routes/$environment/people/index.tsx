import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { scopesQuery } from '#queries/access.ts';
import { peopleQuery } from '#queries/people.ts';
import { PeoplePage } from './PeoplePage.tsx';

export const Route = createFileRoute('/$environment/people/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(peopleQuery(environment));
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: PeoplePage,
});
