import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { movesQuery } from '#queries/moves.ts';
import { MovesPage } from '../../-moves/MovesPage.tsx';

export const Route = createFileRoute('/$environment/boxes/moves/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(movesQuery(environment));
  },
  component: () => <MovesPage kind="boxes" />,
});
