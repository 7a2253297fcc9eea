import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { moduleTokensQuery } from '#queries/module-changes.ts';
import { TokensPage } from './TokensPage.tsx';

export const Route = createFileRoute('/$environment/modules/tokens/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(moduleTokensQuery(environment));
  },
  component: TokensPage,
});
