import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery, boxTokensQuery } from '#queries/box-accounts.ts';
import { AccountPage } from './AccountPage.tsx';

export const Route = createFileRoute('/$environment/boxes/account/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
    void queryClient.prefetchQuery(boxTokensQuery(environment));
  },
  component: AccountPage,
});
