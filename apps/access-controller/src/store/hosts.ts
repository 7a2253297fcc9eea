import type { Store } from '@gatehouse/service-kit/store';
import type { Host } from '../domain/host/host.ts';
import { allLinkedIds, linkedIds, removeLinks } from './links.ts';
import { commonFields, commonRow, resourceStore, touch } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { HostTable, Schema } from './schema.ts';
import { cancelInParts, cancelSessions } from './sessions.ts';

export type HostStore = ResourceStore<Host>;

const memberships = { table: 'host_set_member', from: 'host_id', to: 'host_set_id' } as const;

/** How hosts are stored. Deleting a host removes it from its sets, which changes the sets. */
export const hostTable: ResourceTable<HostTable, Host> = {
  table: 'host',
  what: 'Host',
  container: {
    table: 'host_catalog',
    column: 'catalog_id',
    what: 'host catalog',
    idOf: (host) => host.catalogId,
  },
  toRow: (host, change) => ({
    ...commonRow(host, change),
    catalog_id: host.catalogId,
    address: host.address,
  }),
  toItems(reader, rows) {
    const setsOf = linkedIds(
      reader,
      memberships,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({
      ...commonFields(row),
      catalogId: row.catalog_id,
      address: row.address,
      hostSetIds: setsOf(row.id),
    }));
  },
  links: [memberships],
  beforeRemoval: (store, id, now) => cancelInParts(store, 'host_id', id, now),
  removeParts(tx, ids, now) {
    const sets = allLinkedIds(tx, memberships, ids);
    removeLinks(tx, memberships, ids);
    touch(tx, 'host_set', sets, now);
    cancelSessions(tx, 'host_id', ids, now);
  },
};

export function hostStore(store: Store<Schema>): HostStore {
  return resourceStore(store, hostTable);
}
