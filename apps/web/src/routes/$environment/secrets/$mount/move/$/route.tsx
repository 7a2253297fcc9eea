import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { on, searchOf } from '#lib/search.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { MovePage } from './MovePage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/move/$')({
  /** `folder`: the path is a folder's. */
  validateSearch: searchOf({ folder: on }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MovePage,
});
