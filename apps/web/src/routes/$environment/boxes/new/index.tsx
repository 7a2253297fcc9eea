import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { NewBoxPage } from './NewBoxPage.tsx';

export const Route = createFileRoute('/$environment/boxes/new/')({
  validateSearch: searchOf({ owner: words }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: NewBoxPage,
});
