import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { NewBoxPage } from './NewBoxPage.tsx';

export const Route = createFileRoute('/$environment/boxes/new/')({
  validateSearch: ({ owner }: Readonly<Record<string, unknown>>): { owner?: string } =>
    typeof owner === 'string' || typeof owner === 'number' ? { owner: String(owner) } : {},
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: NewBoxPage,
});
