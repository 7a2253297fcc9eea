import type { Store } from '@gatehouse/service-kit/store';
import type { Credential } from '../domain/credential/credential.ts';
import { resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { CredentialTable, Schema } from './schema.ts';
import { touchTargetsOf, unlinkCredentialSources } from './target-sources.ts';

/** Credentials with encrypted secrets. */
export type CredentialsStore = ResourceStore<Credential>;

export const credentialTable: ResourceTable<CredentialTable, Credential> = {
  table: 'credential',
  what: 'Credential',
  container: {
    table: 'credential_store',
    column: 'store_id',
    what: 'credential store',
    idOf: (credential) => credential.storeId,
  },
  toRow: (credential, change) => ({
    id: credential.id,
    store_id: credential.storeId,
    project_id: credential.projectId,
    type: credential.type,
    name: credential.name,
    description: credential.description,
    created_time: credential.createdTime,
    updated_time: credential.updatedTime,
    version: credential.version,
    plain: JSON.stringify(credential.plain),
    fingerprints: JSON.stringify(credential.fingerprints),
    sealed: credential.sealed,
    change,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      id: row.id,
      storeId: row.store_id,
      projectId: row.project_id,
      type: row.type,
      name: row.name,
      description: row.description,
      createdTime: row.created_time,
      updatedTime: row.updated_time,
      version: row.version,
      plain: JSON.parse(row.plain) as Credential['plain'],
      fingerprints: JSON.parse(row.fingerprints) as Credential['fingerprints'],
      sealed: row.sealed,
    })),
  saveParts(tx, credential, before) {
    if (before === undefined) return;
    if (before.name !== credential.name || before.description !== credential.description) {
      touchTargetsOf(tx, credential.id);
    }
  },
  removeParts: unlinkCredentialSources,
};

export function credentialsStore(store: Store<Schema>): CredentialsStore {
  return resourceStore(store, credentialTable);
}
