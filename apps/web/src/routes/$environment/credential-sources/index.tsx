import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { scopesQuery } from '#queries/access.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { globalScope } from '#queries/global-scope.ts';
import { recordListQuery } from '#queries/records.ts';
import { CredentialSourcesPage } from './CredentialSourcesPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    void queryClient.prefetchQuery(recordListQuery(credentialStores, environment, globalScope));
  },
  component: CredentialSourcesPage,
});
