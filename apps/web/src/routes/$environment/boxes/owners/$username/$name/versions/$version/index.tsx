import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { VersionPage } from './VersionPage.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/versions/$version/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: VersionPage,
});
