import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { runQuery } from '#queries/publish.ts';
import { RunPage } from './RunPage.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/$run/')({
  validateSearch: ({ step }: Record<string, unknown>): { step?: string } =>
    typeof step === 'string' ? { step } : {},
  loader: ({ params: { environment, run } }) => {
    void queryClient.prefetchQuery(runQuery(environment, run));
  },
  component: RunPage,
});
