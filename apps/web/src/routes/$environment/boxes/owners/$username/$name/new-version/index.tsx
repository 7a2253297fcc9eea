import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { NewVersionPage } from './NewVersionPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/new-version/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: NewVersionPage,
});
