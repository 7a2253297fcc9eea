import { createFileRoute, redirect } from '@tanstack/react-router';
import { isApiError } from '../../lib/api-error.ts';
import { sessionQuery, signInOptionsQuery } from '../../queries/session.ts';
import { parseSignInSearch } from './search.ts';
import { SignInPage } from './SignInPage.tsx';

export const Route = createFileRoute('/sign-in/')({
  validateSearch: parseSignInSearch,
  beforeLoad: async ({ context, search }) => {
    try {
      await context.queryClient.ensureQueryData({ ...sessionQuery, retry: false });
    } catch (error) {
      if (isApiError(error, 'unauthenticated')) return;
      throw error;
    }
    throw redirect({ href: search.return ?? '/', replace: true });
  },
  loader: ({ context }) => context.queryClient.ensureQueryData(signInOptionsQuery),
  component: SignInPage,
});
