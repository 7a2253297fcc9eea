import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { MountsPage } from './MountsPage.tsx';

export const Route = createFileRoute('/$environment/secrets/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MountsPage,
});
