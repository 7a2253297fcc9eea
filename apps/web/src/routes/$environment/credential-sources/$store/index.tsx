import { createFileRoute } from '@tanstack/react-router';
import { isVaultStore } from '#components/places/credential-sources.ts';
import { queryClient } from '#lib/query-client.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentials, credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { AnyStorePage } from './AnyStorePage.tsx';
import { storeSearch } from './store-search.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/')({
  validateSearch: storeSearch.parse,
  loader: ({ params: { environment, store } }) => {
    void queryClient.prefetchQuery(recordQuery(credentialStores, environment, store));
    if (isVaultStore(store))
      void queryClient.prefetchQuery(recordListQuery(credentialLibraries, environment, store));
    else void queryClient.prefetchQuery(recordListQuery(credentials, environment, store));
  },
  component: AnyStorePage,
});
