import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { moduleSearchQuery } from '#queries/modules.ts';
import { modulesSearch } from './modules-search.ts';
import { ModulesPage } from './ModulesPage.tsx';

export const Route = createFileRoute('/$environment/modules/')({
  validateSearch: modulesSearch.parse,
  loaderDeps: ({ search }) => modulesSearch.parse(search),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(moduleSearchQuery(environment, deps));
  },
  component: ModulesPage,
});
