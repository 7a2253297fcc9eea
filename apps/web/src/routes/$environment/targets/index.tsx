import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery, targetListQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { isListable, parseTargetListSearch } from './targets-search.ts';
import { TargetsPage } from './TargetsPage.tsx';

export const Route = createFileRoute('/$environment/targets/')({
  validateSearch: parseTargetListSearch,
  loaderDeps: ({ search: { scope, recursive, filter } }) => ({ scope, recursive, filter }),
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
