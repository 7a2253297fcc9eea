import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { getCredentialLibrary } from './get-credential-library.ts';

export const credentialLibraryOperations = resource(inAccess, {
  'credentialLibraries.list': listRecords(credentialLibraries),
  'credentialLibraries.get': getCredentialLibrary,
  'credentialLibraries.create': createRecord(credentialLibraries),
  'credentialLibraries.update': updateRecord(credentialLibraries),
  'credentialLibraries.delete': deleteRecord(credentialLibraries),
});
