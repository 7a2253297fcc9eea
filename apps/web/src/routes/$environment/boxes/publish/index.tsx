import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { BeginPage } from './BeginPage.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/')({
  validateSearch: ({ box }: Record<string, unknown>): { box?: string } =>
    typeof box === 'string' && box !== '' ? { box } : {},
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: BeginPage,
});
