import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { versionsOperation } from './change-versions.ts';

export const secretVersionOperations = resource(inSecrets, {
  deleteSecretVersions: versionsOperation('delete'),
  undeleteSecretVersions: versionsOperation('undelete'),
  destroySecretVersions: versionsOperation('destroy'),
});
