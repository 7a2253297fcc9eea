import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { plugins } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { EditPluginPage } from './EditPluginPage.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/edit/')({
  loader: ({ params: { environment, plugin } }) => {
    void queryClient.prefetchQuery(recordQuery(plugins, environment, plugin));
  },
  component: EditPluginPage,
});
