import { resource } from '#operation/operation.ts';
import { inSecrets } from '#shared/secrets/caller.ts';
import { compareSecret } from './compare-secret.ts';
import { createSecret } from './create-secret.ts';
import { deleteSecretForever } from './delete-secret-forever.ts';
import { deleteSecret } from './delete-secret.ts';
import { getSecretCapabilities } from './get-secret-capabilities.ts';
import { getSecret } from './get-secret.ts';
import { patchSecret } from './patch-secret.ts';
import { restoreSecret } from './restore-secret.ts';
import { revealSecret } from './reveal-secret.ts';
import { updateSecret } from './update-secret.ts';

export const secretOperations = resource(inSecrets, {
  'secrets.getCapabilities': getSecretCapabilities,
  'secrets.get': getSecret,
  'secrets.reveal': revealSecret,
  'secrets.create': createSecret,
  'secrets.update': updateSecret,
  'secrets.patch': patchSecret,
  'secrets.restore': restoreSecret,
  'secrets.delete': deleteSecret,
  'secrets.deleteForever': deleteSecretForever,
  'secrets.compare': compareSecret,
});
