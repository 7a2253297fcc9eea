import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { giveSecretsAgain } from '#shared/access/give-secrets-again.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';

export const credentialStoreOperations = resource(inAccess, {
  'credentialStores.list': listRecords(credentialStores),
  'credentialStores.get': getRecord(credentialStores),
  'credentialStores.create': createRecord(credentialStores),
  'credentialStores.update': updateRecord(credentialStores, { judge: giveSecretsAgain }),
  'credentialStores.delete': deleteRecord(credentialStores),
});
