import type { HostCatalog } from '@gatehouse/api-types/console/host-sources';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { PlacedList } from '#components/record/PlacedList.tsx';
import { shownCatalogs } from './kinds.ts';

const columns = placedColumns<HostCatalog>();

/** All host catalogs that the person may see. */
export function HostSourcesPage() {
  return (
    <PlacedList
      kind={shownCatalogs}
      columns={columns}
      empty={{
        about:
          'A host catalog holds hosts, and host sets that group them. Targets choose their hosts from the sets.',
        command: 'boundary host-catalogs create static -scope-id p_1234567890 -name databases',
      }}
    />
  );
}
