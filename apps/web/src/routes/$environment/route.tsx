import { createFileRoute, notFound } from '@tanstack/react-router';
import { Shell } from '#components/layout/Shell.tsx';
import { queryClient } from '#lib/query-client.ts';
import { preferencesQuery } from '#queries/preferences.ts';
import { connectionsQuery } from '#queries/session.ts';
import { requireSession } from '../require-session.ts';

export const Route = createFileRoute('/$environment')({
  beforeLoad: async ({ location, params }) => {
    const session = await requireSession(location.href);
    if (!session.environments.some(({ id }) => id === params.environment)) throw notFound();
  },
  loader: async () => {
    void queryClient.prefetchQuery(connectionsQuery);
    await queryClient.ensureQueryData(preferencesQuery);
  },
  component: Shell,
});
