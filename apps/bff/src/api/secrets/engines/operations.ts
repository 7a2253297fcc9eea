import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { getSecretEngine } from './get-secret-engine.ts';
import { listMounts } from './list-mounts.ts';
import { updateSecretEngine } from './update-secret-engine.ts';

export const secretEngineOperations = resource(inSecrets, {
  'secretEngines.list': listMounts,
  'secretEngines.get': getSecretEngine,
  'secretEngines.update': updateSecretEngine,
});
