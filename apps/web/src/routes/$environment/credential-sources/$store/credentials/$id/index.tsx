import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { credentials, credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { CredentialPage } from './CredentialPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/')({
  loader: ({ params: { environment, store, id } }) => {
    void queryClient.prefetchQuery(recordQuery(credentialStores, environment, store));
    void queryClient.prefetchQuery(recordQuery(credentials, environment, id));
  },
  component: CredentialPage,
});
