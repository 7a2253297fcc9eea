import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { NewOrganizationPage } from './NewOrganizationPage.tsx';

export const Route = createFileRoute('/$environment/boxes/new-organization/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: NewOrganizationPage,
});
