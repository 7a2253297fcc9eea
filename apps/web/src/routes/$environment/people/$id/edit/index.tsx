import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { people } from '#queries/people.ts';
import { recordQuery } from '#queries/record-life.ts';
import { EditPersonPage } from './EditPersonPage.tsx';

export const Route = createFileRoute('/$environment/people/$id/edit/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(recordQuery(people, environment, id));
  },
  component: EditPersonPage,
});
