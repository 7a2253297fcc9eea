import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { boxSearch } from './box-search.ts';
import { BoxPage } from './BoxPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/')({
  validateSearch: boxSearch.parse,
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: BoxPage,
});
