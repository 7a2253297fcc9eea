import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery, organizationQuery } from '#queries/box-accounts.ts';
import { OrganizationPage } from './OrganizationPage.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(organizationQuery(environment, username));
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: OrganizationPage,
});
