import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxSearchQuery } from '#queries/boxes.ts';
import { boxesSearch } from './boxes-search.ts';
import { BoxesPage } from './BoxesPage.tsx';

export const Route = createFileRoute('/$environment/boxes/')({
  validateSearch: boxesSearch.parse,
  loaderDeps: ({ search }) => boxesSearch.parse(search),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(boxSearchQuery(environment, deps));
  },
  component: BoxesPage,
});
