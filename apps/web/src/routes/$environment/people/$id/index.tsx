import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { personQuery } from '#queries/people.ts';
import { PersonPage } from './PersonPage.tsx';

export const Route = createFileRoute('/$environment/people/$id/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(personQuery(environment, id));
  },
  component: PersonPage,
});
