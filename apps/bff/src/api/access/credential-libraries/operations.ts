import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { getCredentialLibrary } from './get-credential-library.ts';

export const credentialLibraryOperations = resource(inAccess, {
  ...collectionOperations('credentialLibraries', credentialLibraries),
  'credentialLibraries.get': getCredentialLibrary,
});
