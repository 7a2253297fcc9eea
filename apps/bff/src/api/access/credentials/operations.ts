import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { credentials } from '#upstreams/access-controller/credential-sources.ts';
import { searchCredentialSources } from './search-credential-sources.ts';

export const credentialOperations = resource(inAccess, {
  'credentials.list': listRecords(credentials),
  'credentials.get': getRecord(credentials),
  'credentials.create': createRecord(credentials),
  'credentials.update': updateRecord(credentials),
  'credentials.delete': deleteRecord(credentials),
  'credentialSources.search': searchCredentialSources,
});
