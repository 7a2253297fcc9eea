import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations, harmOfSecrets, updateRecord } from '#shared/access/records.ts';
import { credentials } from '#upstreams/access-controller/credential-sources.ts';
import { searchCredentialSources } from './search-credential-sources.ts';

export const credentialOperations = resource(inAccess, {
  ...collectionOperations('credentials', credentials),
  'credentials.update': updateRecord(credentials, { harm: harmOfSecrets }),
  'credentialSources.search': searchCredentialSources,
});
