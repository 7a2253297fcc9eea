import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { people } from '#queries/people.ts';
import { recordQuery } from '#queries/record-life.ts';
import { PersonPage } from './PersonPage.tsx';

export const Route = createFileRoute('/$environment/people/$id/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(recordQuery(people, environment, id));
  },
  component: PersonPage,
});
