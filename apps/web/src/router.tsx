import { lazy } from '@gatehouse/ui/lazy';
import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { loadLater } from './components/layout/load-later.ts';
import { routeTree } from './routeTree.gen.ts';

// It is among what every page fetches once it stands: where a file of a screen does not arrive, its own might not either.
const PageError = lazy(async () => ({
  default: (await loadLater()).PageError,
}));

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide how fresh something is, not the router.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
  defaultErrorComponent: (props) => (
    <Suspense fallback={null}>
      <PageError {...props} />
    </Suspense>
  ),
  defaultNotFoundComponent: lazyRouteComponent(
    () => import('./components/errors/PageNotFound.tsx'),
    'PageNotFound',
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
