import { createFileRoute } from '@tanstack/react-router';
import { parseRecordSearch } from '#components/record/record-search.ts';
import { queryClient } from '#lib/query-client.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { OwnerPage } from './OwnerPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/')({
  validateSearch: parseRecordSearch,
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(ownerQuery(environment, username));
  },
  component: OwnerPage,
});
