import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { PageError } from './components/errors/PageError.tsx';
import { routeTree } from './routeTree.gen.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide how fresh something is, not the router.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
  // Not fetched when it is needed: where a file of a screen does not arrive, its own might not either.
  defaultErrorComponent: PageError,
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
