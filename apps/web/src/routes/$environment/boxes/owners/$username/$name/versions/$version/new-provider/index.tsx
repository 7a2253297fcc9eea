import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { NewProviderPage } from './NewProviderPage.tsx';

export const Route = createFileRoute(
  '/$environment/boxes/owners/$username/$name/versions/$version/new-provider/',
)({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: NewProviderPage,
});
