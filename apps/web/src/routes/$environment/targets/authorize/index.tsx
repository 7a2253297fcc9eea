import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { AuthorizeByNamePage } from './AuthorizeByNamePage.tsx';
import { byNameSearch } from './by-name-search.ts';

export const Route = createFileRoute('/$environment/targets/authorize/')({
  validateSearch: byNameSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: AuthorizeByNamePage,
});
