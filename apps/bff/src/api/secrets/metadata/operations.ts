import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { getSecretMetadata } from './get-secret-metadata.ts';
import { patchSecretMetadata } from './patch-secret-metadata.ts';
import { updateSecretMetadata } from './update-secret-metadata.ts';

export const secretMetadataOperations = resource(inSecrets, {
  'secretMetadata.get': getSecretMetadata,
  'secretMetadata.update': updateSecretMetadata,
  'secretMetadata.patch': patchSecretMetadata,
});
