import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery } from '#queries/cloud.ts';
import { NewRolePage } from './NewRolePage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: NewRolePage,
});
