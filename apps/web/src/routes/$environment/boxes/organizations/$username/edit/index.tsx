import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { organizationQuery } from '#queries/box-accounts.ts';
import { EditOrganizationPage } from './EditOrganizationPage.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/edit/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(organizationQuery(environment, username));
  },
  component: EditOrganizationPage,
});
