import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isVaultStore } from '#components/places/credential-sources.ts';
import { queryClient } from '#lib/query-client.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentials, credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
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

// Only the page for the store's type is loaded.
const StaticStore = lazy(async () => ({ default: (await import('./StaticStore.tsx')).StaticStore }));
const VaultStore = lazy(async () => ({ default: (await import('./VaultStore.tsx')).VaultStore }));
const route = getRouteApi('/$environment/credential-sources/$store/');

/** One credential store, on the page for its type. */
function AnyStorePage() {
  const { store } = route.useParams();
  return (
    <Suspense
      fallback={
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the credential store" lines={8} />
        </div>
      }
    >
      {isVaultStore(store) ? <VaultStore /> : <StaticStore />}
    </Suspense>
  );
}
