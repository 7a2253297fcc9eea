import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { moveQuery } from '#queries/move.ts';
import { moveSearch } from '#routes/$environment/-moves/move-search.ts';
import { MovePage } from '#routes/$environment/-moves/MovePage.tsx';

export const Route = createFileRoute('/$environment/modules/moves/$move/')({
  validateSearch: moveSearch.parse,
  loader: ({ params: { environment, move } }) => {
    void queryClient.prefetchQuery(moveQuery({ environment, move }));
  },
  component: () => <MovePage kind="modules" />,
});
