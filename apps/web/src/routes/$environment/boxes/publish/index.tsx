import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { BeginPage } from './BeginPage.tsx';
import { publishSearch } from './publish-search.ts';

export const Route = createFileRoute('/$environment/boxes/publish/')({
  validateSearch: publishSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: BeginPage,
});
