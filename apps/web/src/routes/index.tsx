import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireSession } from './require-session.ts';

/** Redirects to the environment in which the user signed in. */
export const Route = createFileRoute('/')({
  beforeLoad: async ({ location }) => {
    const session = await requireSession(location.href);
    throw redirect({ to: '/$environment', params: { environment: session.environment }, replace: true });
  },
});
