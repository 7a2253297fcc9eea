import type { Store } from '@gatehouse/service-kit/store';
import type { CredentialStore } from '../domain/credential/store.ts';
import { credentialTable } from './credentials.ts';
import { idsIn, removeResources, resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { CredentialStoreTable, Schema } from './schema.ts';

/** Credential stores on disk. */
export type CredentialStoreStore = ResourceStore<CredentialStore>;

/** How credential stores are stored. Credentials go with their store. */
export const credentialStoreTable: ResourceTable<CredentialStoreTable, CredentialStore> = {
  table: 'credential_store',
  what: 'Credential store',
  container: { table: 'scope', column: 'project_id', what: 'project', idOf: (store) => store.projectId },
  toRow: (store, change) => ({
    id: store.id,
    project_id: store.projectId,
    name: store.name,
    description: store.description,
    created_time: store.createdTime,
    updated_time: store.updatedTime,
    version: store.version,
    change,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      name: row.name,
      description: row.description,
      createdTime: row.created_time,
      updatedTime: row.updated_time,
      version: row.version,
    })),
  removeParts(tx, ids, now) {
    const credentials = ids.flatMap((id) => idsIn(tx, credentialTable, id));
    removeResources(tx, credentialTable, credentials, now);
  },
};

/** Credential stores in the store of the access controller. */
export function credentialStoreStore(store: Store<Schema>): CredentialStoreStore {
  return resourceStore(store, credentialStoreTable);
}
