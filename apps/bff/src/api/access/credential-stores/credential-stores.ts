import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { giveSecretsAgain } from '#shared/access/give-secrets-again.ts';
import { collectionOperations, harmOfSecrets, updateRecord } from '#shared/access/records.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';

export const credentialStoreOperations = resource(inAccess, {
  ...collectionOperations('credentialStores', credentialStores),
  'credentialStores.update': updateRecord(credentialStores, {
    judge: giveSecretsAgain,
    harm: harmOfSecrets,
  }),
});
