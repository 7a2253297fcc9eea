import * as at from '@gatehouse/api-types/console/addresses/session';
import { fetchPart } from '@gatehouse/ui/lazy';
import type { ReactNode } from 'react';
import { call } from '#lib/api.ts';
import { parseSignInSearch } from './search.ts';
import { SignInPage } from './SignInPage.tsx';

/** The sign-in page with its options; null if a session exists, in which case the browser is redirected. */
export async function signInPage(): Promise<ReactNode> {
  const search = parseSignInSearch(Object.fromEntries(new URLSearchParams(window.location.search)));
  try {
    // A page that redirects here with a reason knows that the session has ended. Direct visits may have one.
    const found = search.reason === undefined ? await call(at.session.find, {}) : undefined;
    if (found?.session) {
      window.location.replace(search.return ?? '/');
      return null;
    }
    return <SignInPage search={search} options={await call(at.session.getSignInOptions, {})} />;
  } catch (error) {
    const { Failure } = await fetchPart(() => import('#components/errors/Failure.tsx'));
    return (
      <main className="min-h-dvh bg-page">
        <Failure
          error={error}
          onRetry={() => {
            window.location.reload();
          }}
        />
      </main>
    );
  }
}
