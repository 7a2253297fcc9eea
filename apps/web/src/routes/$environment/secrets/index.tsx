import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { folderSearch } from './folder-search.ts';
import { MountsPage } from './MountsPage.tsx';

export const Route = createFileRoute('/$environment/secrets/')({
  validateSearch: folderSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MountsPage,
});
