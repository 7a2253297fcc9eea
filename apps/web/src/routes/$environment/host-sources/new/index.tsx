import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { NewCatalogPage } from './NewCatalogPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: NewCatalogPage,
});
