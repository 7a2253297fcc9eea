import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '#components/list/list-search.ts';
import { queryClient } from '#lib/query-client.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { OwnerPage } from './OwnerPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(ownerQuery(environment, username));
  },
  component: OwnerPage,
});
