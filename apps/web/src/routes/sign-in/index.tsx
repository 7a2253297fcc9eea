import { getSession, getSignInOptions } from '@gatehouse/api-types/console/session';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { isApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { keepFreshSession } from '../../lib/session.ts';
import { parseSignInSearch } from './search.ts';
import { SignInPage } from './SignInPage.tsx';

export const Route = createFileRoute('/sign-in/')({
  validateSearch: parseSignInSearch,
  loaderDeps: ({ search }) => ({ search }),
  loader: async ({ deps: { search } }) => {
    // Whoever was led here is known to be signed out; whoever came by the address may not be.
    if (search.reason === undefined) {
      try {
        keepFreshSession(await call(getSession, {}));
      } catch (error) {
        if (!isApiError(error, 'unauthenticated')) throw error;
        return call(getSignInOptions, {});
      }
      throw redirect({ href: search.return ?? '/', replace: true });
    }
    return call(getSignInOptions, {});
  },
  staleTime: Infinity,
  component: SignInPage,
});
