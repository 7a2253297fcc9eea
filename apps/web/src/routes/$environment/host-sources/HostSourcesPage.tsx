import { createFileRoute } from '@tanstack/react-router';
import { PlacedList } from '#components/record/PlacedList.tsx';
import { listSearch } from '#lib/search.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { prefetchPlaced } from '#queries/placed.ts';
import { shownCatalogs } from './kinds.ts';

export const Route = createFileRoute('/$environment/host-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    prefetchPlaced(hostCatalogs, environment);
  },
  component: HostSourcesPage,
});

/** The host catalogs that you can see. */
function HostSourcesPage() {
  return (
    <PlacedList
      kind={shownCatalogs}
      empty={{
        title: 'No host catalogs you can see',
        about:
          'A host catalog contains hosts, and host sets that group them. Targets choose their hosts from the sets.',
        command: 'boundary host-catalogs create static -scope-id p_1234567890 -name databases',
      }}
    />
  );
}
