import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { accessSessionsQuery } from '#queries/access-sessions.ts';
import { sessionsSearch } from './sessions-search.ts';
import { SessionsPage } from './SessionsPage.tsx';

export const Route = createFileRoute('/$environment/sessions/')({
  validateSearch: sessionsSearch.parse,
  loaderDeps: ({ search: { ended } }) => ({ ended: ended === true }),
  loader: ({ params: { environment }, deps: { ended } }) => {
    void queryClient.prefetchQuery(accessSessionsQuery(environment, ended));
  },
  component: SessionsPage,
});
