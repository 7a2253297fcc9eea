import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { folderQuery } from '#queries/secrets.ts';
import { MountLayout } from './MountLayout.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount')({
  loader: ({ params: { environment, mount } }) => {
    void queryClient.prefetchInfiniteQuery(folderQuery({ environment, mount, path: '' }));
  },
  component: MountLayout,
});
