import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery, organizations } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { OrganizationPage } from './OrganizationPage.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(recordQuery(organizations, environment, username));
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: OrganizationPage,
});
