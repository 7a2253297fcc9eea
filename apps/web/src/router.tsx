import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide how fresh something is, not the router.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
  // It is among what every page fetches once it stands: where a file of a screen does not arrive, its own might not either.
  defaultErrorComponent: lazyRouteComponent(() => import('./components/errors/PageError.tsx'), 'PageError'),
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
