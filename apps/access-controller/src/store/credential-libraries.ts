import type { Store } from '@gatehouse/service-kit/store';
import type { CredentialLibrary } from '../domain/vault-store/library.ts';
import { commonFields, commonRow, resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { CredentialLibraryTable, Schema } from './schema.ts';
import { touchTargetsOf, unlinkCredentialSources } from './target-sources.ts';

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
    ...commonRow(library, change),
    store_id: library.storeId,
    path: library.path,
    http_method: library.httpMethod,
    http_request_body: library.httpRequestBody,
    credential_type: library.credentialType,
    mapping_overrides: JSON.stringify(library.mappingOverrides),
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      ...commonFields(row),
      storeId: row.store_id,
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
