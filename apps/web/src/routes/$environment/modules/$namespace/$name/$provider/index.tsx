import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { moduleQuery, moduleVersionQuery } from '#queries/modules.ts';
import { moduleSearch } from './module-search.ts';
import { ModulePage } from './ModulePage.tsx';

export const Route = createFileRoute('/$environment/modules/$namespace/$name/$provider/')({
  validateSearch: moduleSearch.parse,
  loaderDeps: ({ search }) => ({ version: moduleSearch.parse(search).version }),
  loader: ({ params, deps: { version } }) => {
    void queryClient.prefetchQuery(moduleQuery(params));
    if (version !== undefined) void queryClient.prefetchQuery(moduleVersionQuery(params, version));
  },
  component: ModulePage,
});
