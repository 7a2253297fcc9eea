import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide how fresh something is, not the router.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
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
