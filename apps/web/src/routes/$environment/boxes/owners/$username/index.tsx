import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { OwnerPage } from './OwnerPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(ownerQuery(environment, username));
  },
  component: OwnerPage,
});
