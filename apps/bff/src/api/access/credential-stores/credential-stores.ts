import { resource } from '#operation/operation.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { inAccess } from '../caller.ts';
import { giveSecretsAgain } from '../give-secrets-again.ts';
import { collectionOperations, harmOfSecrets, updateRecord } from '../records.ts';

export const credentialStoreOperations = resource(inAccess, {
  ...collectionOperations('credentialStores', credentialStores),
  'credentialStores.update': updateRecord(credentialStores, {
    judge: giveSecretsAgain,
    harm: harmOfSecrets,
  }),
});
