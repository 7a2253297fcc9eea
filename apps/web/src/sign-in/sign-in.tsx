import type { findSession, getSignInOptions } from '@gatehouse/api-types/console/session';
import type { ReactNode } from 'react';
import { callAt, type AddressOf } from '#lib/api.ts';
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

/** The sign-in page, once it knows the ways to sign in; nothing where somebody is signed in and goes on at once. */
export async function signInPage(): Promise<ReactNode> {
  const search = parseSignInSearch(Object.fromEntries(new URLSearchParams(window.location.search)));
  try {
    // Whoever was led here is known to be signed out; whoever came by the address may not be.
    const found = search.reason === undefined ? await callAt<typeof findSession>(session, {}) : undefined;
    if (found?.session) {
      window.location.replace(search.return ?? '/');
      return null;
    }
    return <SignInPage search={search} options={await callAt<typeof getSignInOptions>(options, {})} />;
  } catch (error) {
    const { Failure } = await import('#components/errors/Failure.tsx');
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
