import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { NewPersonPage } from './NewPersonPage.tsx';

export const Route = createFileRoute('/$environment/people/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: NewPersonPage,
});
