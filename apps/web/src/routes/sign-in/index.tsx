import type { findSession, getSignInOptions } from '@gatehouse/api-types/console/session';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { callAt, type AddressOf } from '../../lib/api.ts';
import { keepFreshSession } from '../../lib/session.ts';
import { parseSignInSearch } from './search.ts';
import { SignInPage } from './SignInPage.tsx';

/**
 * The contract's addresses without its schemas, which weigh a tenth of this page: the compiler holds the two together.
 */
const session = { method: 'GET', path: '/api/session/current', anonymous: true } satisfies AddressOf<
  typeof findSession
>;
const options = { method: 'GET', path: '/api/sign-in-options', anonymous: true } satisfies AddressOf<
  typeof getSignInOptions
>;

export const Route = createFileRoute('/sign-in/')({
  validateSearch: parseSignInSearch,
  loaderDeps: ({ search }) => ({ search }),
  loader: async ({ deps: { search } }) => {
    // Whoever was led here is known to be signed out; whoever came by the address may not be.
    if (search.reason === undefined) {
      const found = await callAt<typeof findSession>(session, {});
      if (found.session !== null) {
        keepFreshSession(found.session);
        throw redirect({ href: search.return ?? '/', replace: true });
      }
    }
    return callAt<typeof getSignInOptions>(options, {});
  },
  staleTime: Infinity,
  component: SignInPage,
});
