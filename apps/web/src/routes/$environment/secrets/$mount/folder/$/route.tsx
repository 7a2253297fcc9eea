import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { capabilitiesQuery, folderQuery } from '#queries/secrets.ts';
import { folderSearch } from '#routes/$environment/secrets/folder-search.ts';
import { FolderPage } from './FolderPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/folder/$')({
  validateSearch: folderSearch.parse,
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchInfiniteQuery(folderQuery({ environment, mount, path }));
    void queryClient.prefetchQuery(capabilitiesQuery({ environment, mount, path }));
  },
  component: FolderPage,
});
