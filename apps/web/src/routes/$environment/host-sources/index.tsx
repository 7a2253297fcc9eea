import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '#lib/search.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { prefetchPlaced } from '#queries/placed.ts';
import { HostSourcesPage } from './HostSourcesPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    prefetchPlaced(hostCatalogs, environment);
  },
  component: HostSourcesPage,
});
