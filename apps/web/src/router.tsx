import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { later } from './components/layout/load-later.ts';
import { routeTree } from './routeTree.gen.ts';

// Fetched right after the shell on every page, because after a screen's file failed, its own might fail too.
const PageError = later('PageError');

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Freshness is decided by the queries, not by the router.
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
