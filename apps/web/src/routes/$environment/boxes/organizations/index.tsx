import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { boxAccountQuery, organizationsQuery } from '#queries/box-accounts.ts';
import { OrganizationsPage } from './OrganizationsPage.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(organizationsQuery(environment));
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: OrganizationsPage,
});
