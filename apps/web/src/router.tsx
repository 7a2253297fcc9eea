import { lazy } from '@gatehouse/ui/lazy';
import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { loadLater } from './components/layout/load-later.ts';
import { routeTree } from './routeTree.gen.ts';

// Every page fetches it right after the shell: when a screen's file doesn't arrive, a file of its own might not either.
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
