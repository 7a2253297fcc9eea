import * as at from '@gatehouse/api-types/console/addresses/session';
import { fetchPart } from '@gatehouse/ui/lazy';
import type { ReactNode } from 'react';
import { call } from '#lib/api.ts';
import { parseSignInSearch } from './search.ts';
import { SignInPage } from './SignInPage.tsx';

/** The sign-in page, once it knows the ways to sign in; nothing where somebody is signed in and goes on at once. */
export async function signInPage(): Promise<ReactNode> {
  const search = parseSignInSearch(Object.fromEntries(new URLSearchParams(window.location.search)));
  try {
    // Whoever was led here is known to be signed out; whoever came by the address may not be.
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
