import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { versionsOperation } from './change-versions.ts';

export const secretVersionOperations = resource(inSecrets, {
  'secrets.deleteVersions': versionsOperation('delete'),
  'secrets.undeleteVersions': versionsOperation('undelete'),
  'secrets.destroyVersions': versionsOperation('destroy'),
});
