import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentials } from '#upstreams/access-controller/credential-sources.ts';
import { searchCredentialSources } from './search-credential-sources.ts';

export const credentialOperations = resource(inAccess, {
  listCredentials: listRecords(credentials),
  getCredential: getRecord(credentials),
  createCredential: createRecord(credentials),
  updateCredential: updateRecord(credentials),
  deleteCredential: deleteRecord(credentials),
  searchCredentialSources,
});
