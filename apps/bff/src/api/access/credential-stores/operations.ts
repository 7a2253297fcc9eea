import { giveSecretsAgain } from '#shared/access/give-secrets-again.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentials, credentialStores } from '#upstreams/access-controller/credential-sources.ts';

export const credentialSourceOperations = {
  listCredentialStores: listRecords(credentialStores),
  getCredentialStore: getRecord(credentialStores),
  createCredentialStore: createRecord(credentialStores),
  updateCredentialStore: updateRecord(credentialStores, { judge: giveSecretsAgain }),
  deleteCredentialStore: deleteRecord(credentialStores),
  listCredentials: listRecords(credentials),
  getCredential: getRecord(credentials),
  createCredential: createRecord(credentials),
  updateCredential: updateRecord(credentials),
  deleteCredential: deleteRecord(credentials),
  listCredentialLibraries: listRecords(credentialLibraries),
  createCredentialLibrary: createRecord(credentialLibraries),
  updateCredentialLibrary: updateRecord(credentialLibraries),
  deleteCredentialLibrary: deleteRecord(credentialLibraries),
};
