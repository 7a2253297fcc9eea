import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { runQuery } from '#queries/publish.ts';
import { RunPage } from './RunPage.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/$run/')({
  validateSearch: searchOf({ step: words }).parse,
  loader: ({ params: { environment, run } }) => {
    void queryClient.prefetchQuery(runQuery(environment, run));
  },
  component: RunPage,
});
