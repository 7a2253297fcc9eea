import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudRootQuery } from '#queries/cloud.ts';
import { RootPage } from './RootPage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/root/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRootQuery(params));
  },
  component: RootPage,
});
