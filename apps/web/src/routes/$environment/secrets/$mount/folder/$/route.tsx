import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { capabilitiesQuery, folderQuery } from '#queries/secrets.ts';
import { parseFolderSearch } from '#routes/$environment/secrets/folder-search.ts';
import { FolderPage } from './FolderPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/folder/$')({
  validateSearch: parseFolderSearch,
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchInfiniteQuery(folderQuery({ environment, mount, path }));
    void queryClient.prefetchQuery(capabilitiesQuery({ environment, mount, path }));
  },
  component: FolderPage,
});
