import type { Store } from '@gatehouse/service-kit/store';
import type { HostCatalog } from '../domain/host/catalog.ts';
import { hostSetTable } from './host-sets.ts';
import { hostTable } from './hosts.ts';
import { commonFields, commonRow, resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { HostCatalogTable, Schema } from './schema.ts';

export type HostCatalogStore = ResourceStore<HostCatalog>;

/** How host catalogs are stored. Deleting a catalog deletes its hosts and host sets. */
export const hostCatalogTable: ResourceTable<HostCatalogTable, HostCatalog> = {
  table: 'host_catalog',
  what: 'Host catalog',
  container: {
    table: 'scope',
    column: 'project_id',
    what: 'project',
    idOf: (catalog) => catalog.projectId,
  },
  inside: [hostSetTable, hostTable],
  toRow: commonRow,
  toItems: (_reader, rows) => rows.map(commonFields),
};

export function hostCatalogStore(store: Store<Schema>): HostCatalogStore {
  return resourceStore(store, hostCatalogTable);
}
