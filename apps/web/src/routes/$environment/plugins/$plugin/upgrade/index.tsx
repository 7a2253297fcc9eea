import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { plugins, pluginsQuery } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { UpgradePage } from './UpgradePage.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/upgrade/')({
  loader: ({ params: { environment, plugin } }) => {
    void queryClient.prefetchQuery(recordQuery(plugins, environment, plugin));
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: UpgradePage,
});
