import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { getCredentialLibrary } from './get-credential-library.ts';

export const credentialLibraryOperations = resource(inAccess, {
  listCredentialLibraries: listRecords(credentialLibraries),
  getCredentialLibrary,
  createCredentialLibrary: createRecord(credentialLibraries),
  updateCredentialLibrary: updateRecord(credentialLibraries),
  deleteCredentialLibrary: deleteRecord(credentialLibraries),
});
