import { withParameters } from '@gatehouse/service-kit/store';
import type { Store, Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { HostSet } from '../domain/host/set.ts';
import { allLinkedIds, linkedIds, removeLinks } from './links.ts';
import { changeResource, commonFields, commonRow, resourceStore, touch } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { HostSetTable, Schema } from './schema.ts';
import { cancelInParts, cancelSessions } from './sessions.ts';
import { unlinkHostSets } from './target-sources.ts';

export interface HostSetStore extends ResourceStore<HostSet> {
  /**
   * Changes the hosts of a set. `change` gets a function that reports whether a host is in the set's catalog.
   * @throws Refusal `not found or stale`, and the errors of `change`
   */
  changeHosts(
    id: string,
    version: number,
    change: (current: HostSet, isInCatalog: (hostId: string) => boolean) => HostSet,
  ): Promise<HostSet>;
}

const members = { table: 'host_set_member', from: 'host_set_id', to: 'host_id' } as const;

export const hostSetTable: ResourceTable<HostSetTable, HostSet> = {
  table: 'host_set',
  what: 'Host set',
  container: {
    table: 'host_catalog',
    column: 'catalog_id',
    what: 'host catalog',
    idOf: (set) => set.catalogId,
  },
  toRow: (set, change) => ({
    ...commonRow(set, change),
    catalog_id: set.catalogId,
  }),
  toItems(reader, rows) {
    const hostsOf = linkedIds(
      reader,
      members,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({
      ...commonFields(row),
      catalogId: row.catalog_id,
      hostIds: hostsOf(row.id),
    }));
  },
  links: [members],
  saveParts: (tx, set, before) => saveMembers(tx, set, before?.hostIds ?? []),
  beforeRemoval: (store, id, now) => cancelInParts(store, 'host_set_id', id, now),
  removeParts(tx, ids, now) {
    unlinkHostSets(tx, ids, now);
    cancelSessions(tx, 'host_set_id', ids, now);
    const hosts = allLinkedIds(tx, members, ids);
    removeLinks(tx, members, ids);
    touch(tx, 'host', hosts);
  },
};

export function hostSetStore(store: Store<Schema>): HostSetStore {
  return {
    ...resourceStore(store, hostSetTable),

    changeHosts: (id, version, change) =>
      store.write((tx) =>
        changeResource(tx, hostSetTable, id, version, (current) => {
          const inCatalog = tx.build
            .selectFrom('host')
            .select('id')
            .where('catalog_id', '=', current.catalogId);
          return change(
            current,
            (hostId) => tx.get(inCatalog.where('id', '=', hostId).compile()) !== undefined,
          );
        }),
      ),
  };
}

function saveMembers(tx: Writer<Schema>, set: HostSet, before: readonly string[]): void {
  const former = new Set(before);
  const current = new Set(set.hostIds);
  const left = [...former.difference(current)];
  const joined = [...current.difference(former)];
  const changes = [
    [
      `DELETE FROM host_set_member WHERE host_set_id = ?1 AND host_id IN (SELECT value FROM json_each(?2))`,
      left,
    ],
    [`INSERT INTO host_set_member (host_set_id, host_id) SELECT ?1, value FROM json_each(?2)`, joined],
  ] as const;
  for (const [change, hosts] of changes)
    tx.run(withParameters(sql.raw(change).compile(tx.build), set.id, JSON.stringify(hosts)));
  // Hosts show their host sets, so lists of hosts change too.
  touch(tx, 'host', [...left, ...joined]);
}
