import { resource } from '#operation/operation.ts';
import { inCloud } from '#shared/secrets/cloud-calls.ts';
import { generateCloudCredential } from './generate-cloud-credential.ts';

export const cloudCredentialOperations = resource(inCloud, {
  'cloudCredentials.generate': generateCloudCredential,
});
