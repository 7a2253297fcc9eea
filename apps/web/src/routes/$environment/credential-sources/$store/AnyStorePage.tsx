import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isVaultStore } from '#components/places/credential-sources.ts';

// Only the page for the store's type is loaded.
const StorePage = lazy(async () => ({ default: (await import('./StorePage.tsx')).StorePage }));
const VaultStorePage = lazy(async () => ({ default: (await import('./VaultStorePage.tsx')).VaultStorePage }));
const route = getRouteApi('/$environment/credential-sources/$store/');

/** One credential store, on the page for its type. */
export function AnyStorePage() {
  const { store } = route.useParams();
  return (
    <Suspense
      fallback={
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the credential store" lines={8} />
        </div>
      }
    >
      {isVaultStore(store) ? <VaultStorePage /> : <StorePage />}
    </Suspense>
  );
}
