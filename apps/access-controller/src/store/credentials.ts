import type { Store } from '@gatehouse/service-kit/store';
import type { Credential } from '../domain/credential/credential.ts';
import { commonFields, commonRow, resourceStore } from './resources.ts';
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
    ...commonRow(credential, change),
    store_id: credential.storeId,
    type: credential.type,
    plain: JSON.stringify(credential.plain),
    fingerprints: JSON.stringify(credential.fingerprints),
    sealed: credential.sealed,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      ...commonFields(row),
      storeId: row.store_id,
      type: row.type,
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
