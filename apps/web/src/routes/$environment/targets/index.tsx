import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery, targetListQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { isListable, targetListSearch } from './targets-search.ts';
import { TargetsPage } from './TargetsPage.tsx';

export const Route = createFileRoute('/$environment/targets/')({
  validateSearch: targetListSearch.parse,
  loaderDeps: ({ search }) => {
    const { scope, recursive, filter } = targetListSearch.parse(search);
    return { scope, recursive, filter };
  },
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    if (!isListable(deps)) return;
    const query = {
      environment,
      scope: deps.scope ?? globalScope,
      recursive: deps.recursive !== false,
      filter: deps.filter,
    };
    void queryClient.prefetchQuery(targetListQuery(query));
  },
  component: TargetsPage,
});
