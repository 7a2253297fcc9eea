import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery } from '#queries/cloud.ts';
import { cloudSearch } from './cloud-search.ts';
import { CloudPage } from './CloudPage.tsx';

export const Route = createFileRoute('/$environment/cloud/')({
  validateSearch: cloudSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: CloudPage,
});
