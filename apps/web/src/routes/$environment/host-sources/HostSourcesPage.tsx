import { PlacedList } from '#components/record/PlacedList.tsx';
import { shownCatalogs } from './kinds.ts';

/** The host catalogs that you can see. */
export function HostSourcesPage() {
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
