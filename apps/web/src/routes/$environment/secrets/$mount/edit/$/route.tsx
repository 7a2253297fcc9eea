import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { secretQuery } from '#queries/secrets.ts';
import { EditSecretPage } from './EditSecretPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/edit/$')({
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchQuery(secretQuery({ environment, mount, path }));
  },
  component: EditSecretPage,
});
