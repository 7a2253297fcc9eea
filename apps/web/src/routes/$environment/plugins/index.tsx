import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { pluginsQuery } from '#queries/plugins.ts';
import { pluginsSearch } from './plugins-search.ts';
import { PluginsPage } from './PluginsPage.tsx';

export const Route = createFileRoute('/$environment/plugins/')({
  validateSearch: pluginsSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: PluginsPage,
});
