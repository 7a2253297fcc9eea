import type { Store } from '@gatehouse/service-kit/store';
import type { CredentialStore, VaultStore } from '../domain/credential/store.ts';
import { credentialLibraryTable } from './credential-libraries.ts';
import { credentialTable } from './credentials.ts';
import { commonFields, commonRow, resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { CredentialStoreTable, Schema } from './schema.ts';
import { releaseTokens, saveToken, tokensOf } from './vault-tokens.ts';

export type CredentialStoreStore = ResourceStore<CredentialStore>;

/** How credential stores are stored. Deleting a store deletes its credentials, libraries and tokens. */
export const credentialStoreTable: ResourceTable<CredentialStoreTable, CredentialStore> = {
  table: 'credential_store',
  what: 'Credential store',
  container: { table: 'scope', column: 'project_id', what: 'project', idOf: (store) => store.projectId },
  inside: [credentialTable, credentialLibraryTable],
  toRow: (store, change) => ({
    ...commonRow(store, change),
    type: store.type,
    connection: store.type === 'vault' ? JSON.stringify(store.connection) : '',
    fingerprints: store.type === 'vault' ? JSON.stringify(store.fingerprints) : '',
  }),
  toItems(reader, rows) {
    const vaults = rows.filter((row) => row.type === 'vault').map((row) => row.id);
    const tokenOf = vaults.length === 0 ? () => undefined : tokensOf(reader, vaults);
    return rows.map((row): CredentialStore => {
      const common = commonFields(row);
      const token = tokenOf(row.id);
      if (token === undefined) return { ...common, type: 'static' };
      return {
        ...common,
        type: 'vault',
        connection: JSON.parse(row.connection) as VaultStore['connection'],
        fingerprints: JSON.parse(row.fingerprints) as VaultStore['fingerprints'],
        token,
      };
    });
  },
  saveParts(tx, store, before) {
    if (store.type !== 'vault') return;
    const former = before?.type === 'vault' ? before.token : undefined;
    saveToken(tx, store.id, store.token, former, store.updatedTime);
  },
  removeParts: releaseTokens,
};

export function credentialStoreStore(store: Store<Schema>): CredentialStoreStore {
  return resourceStore(store, credentialStoreTable);
}
