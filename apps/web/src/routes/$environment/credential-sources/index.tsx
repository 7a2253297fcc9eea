import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '#lib/search.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { prefetchPlaced } from '#queries/placed.ts';
import { CredentialSourcesPage } from './CredentialSourcesPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    prefetchPlaced(credentialStores, environment);
  },
  component: CredentialSourcesPage,
});
