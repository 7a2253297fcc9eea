import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxSearchQuery } from '#queries/boxes.ts';
import { parseBoxesSearch } from './boxes-search.ts';
import { BoxesPage } from './BoxesPage.tsx';

export const Route = createFileRoute('/$environment/boxes/')({
  validateSearch: parseBoxesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(boxSearchQuery(environment, deps));
  },
  component: BoxesPage,
});
