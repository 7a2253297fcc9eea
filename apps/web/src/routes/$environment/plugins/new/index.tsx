import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { pluginsQuery } from '#queries/plugins.ts';
import { pluginDraftSearch } from '../plugins-search.ts';
import { NewPluginPage } from './NewPluginPage.tsx';

export const Route = createFileRoute('/$environment/plugins/new/')({
  validateSearch: pluginDraftSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: NewPluginPage,
});
