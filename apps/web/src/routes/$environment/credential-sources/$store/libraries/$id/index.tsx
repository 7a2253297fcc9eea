import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { LibraryPage } from './LibraryPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/')({
  loader: ({ params: { environment, store, id } }) => {
    void queryClient.prefetchQuery(recordQuery(credentialStores, environment, store));
    void queryClient.prefetchQuery(recordQuery(credentialLibraries, environment, id));
  },
  component: LibraryPage,
});
