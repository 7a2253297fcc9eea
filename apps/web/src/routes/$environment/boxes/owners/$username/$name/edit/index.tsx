import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { EditBoxPage } from './EditBoxPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/edit/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: EditBoxPage,
});
