import type { Store } from '@gatehouse/service-kit/store';
import type { CredentialLibrary } from '../domain/vault-store/library.ts';
import { resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { Schema } from './schema.ts';
import { touchTargetsOf, unlinkCredentialSources } from './target-sources.ts';
import type { CredentialLibraryTable } from './vault-schema.ts';

export type CredentialLibraryStore = ResourceStore<CredentialLibrary>;

export const credentialLibraryTable: ResourceTable<CredentialLibraryTable, CredentialLibrary> = {
  table: 'credential_library',
  what: 'Credential library',
  container: {
    table: 'credential_store',
    column: 'store_id',
    what: 'credential store',
    idOf: (library) => library.storeId,
  },
  toRow: (library, change) => ({
    id: library.id,
    store_id: library.storeId,
    project_id: library.projectId,
    name: library.name,
    description: library.description,
    created_time: library.createdTime,
    updated_time: library.updatedTime,
    version: library.version,
    path: library.path,
    http_method: library.httpMethod,
    http_request_body: library.httpRequestBody,
    credential_type: library.credentialType,
    mapping_overrides: JSON.stringify(library.mappingOverrides),
    change,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      id: row.id,
      storeId: row.store_id,
      projectId: row.project_id,
      name: row.name,
      description: row.description,
      createdTime: row.created_time,
      updatedTime: row.updated_time,
      version: row.version,
      path: row.path,
      httpMethod: row.http_method,
      httpRequestBody: row.http_request_body,
      credentialType: row.credential_type,
      mappingOverrides: JSON.parse(row.mapping_overrides) as CredentialLibrary['mappingOverrides'],
    })),
  saveParts(tx, library, before) {
    if (before === undefined) return;
    if (before.name !== library.name || before.description !== library.description) {
      touchTargetsOf(tx, library.id);
    }
  },
  removeParts: unlinkCredentialSources,
};

export function credentialLibraryStore(store: Store<Schema>): CredentialLibraryStore {
  return resourceStore(store, credentialLibraryTable);
}
