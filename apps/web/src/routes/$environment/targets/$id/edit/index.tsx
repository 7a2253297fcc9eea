import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { targetQuery } from '#queries/access.ts';
import { targetsSearch } from '../../targets-search.ts';
import { EditTargetPage } from './EditTargetPage.tsx';

export const Route = createFileRoute('/$environment/targets/$id/edit/')({
  validateSearch: targetsSearch.parse,
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(targetQuery(environment, id));
  },
  component: EditTargetPage,
});
