import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { EditProviderPage } from './EditProviderPage.tsx';

export const Route = createFileRoute(
  '/$environment/boxes/owners/$username/$name/versions/$version/providers/$provider/$architecture/edit/',
)({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: EditProviderPage,
});
