import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { organizations } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { EditOrganizationPage } from './EditOrganizationPage.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/edit/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(recordQuery(organizations, environment, username));
  },
  component: EditOrganizationPage,
});
