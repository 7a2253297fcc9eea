import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { plugins, pluginsQuery } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { PluginPage } from './PluginPage.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/')({
  loader: ({ params: { environment, plugin } }) => {
    void queryClient.prefetchQuery(recordQuery(plugins, environment, plugin));
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: PluginPage,
});
