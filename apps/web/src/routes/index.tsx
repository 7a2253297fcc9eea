import { createFileRoute, redirect } from '@tanstack/react-router';

/** The console begins in the environment where the person signed in. */
export const Route = createFileRoute('/')({
  beforeLoad: async ({ location }) => {
    // Apart, so that the sign-in page does not wait for what it has no use for.
    const { requireSession } = await import('./require-session.ts');
    const session = await requireSession(location.href);
    throw redirect({ to: '/$environment', params: { environment: session.environment }, replace: true });
  },
});
