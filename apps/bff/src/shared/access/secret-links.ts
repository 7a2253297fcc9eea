import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { SecretReference } from '@gatehouse/api-types/console/targets';
import type { Context } from '#operation/context.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { ownSecretsServer, secretOf } from './read-secrets.ts';

/** Finds the secret that a library reads, where its store is shown to the caller and asks the environment's secrets server. */
export type SecretLinks = (library: CredentialLibrary) => Promise<SecretReference | undefined>;

/** Links of libraries to secrets, for one call; undefined where the environment has no secrets server. */
export function secretLinks(context: Context, caller: AccessCaller): SecretLinks | undefined {
  const isOwn = ownSecretsServer(context.config, caller.transport.environment);
  if (isOwn === undefined) return undefined;
  const stores = new Map<string, Promise<boolean>>();
  return async (library) => {
    const secret = secretOf(library);
    if (secret === undefined) return undefined;
    const { credential_store_id: id } = library;
    // A store that is not shown to the caller is none that could be linked to.
    const own = stores.get(id) ?? credentialStores.get(caller, id).then(isOwn, () => false);
    stores.set(id, own);
    return (await own) ? secret : undefined;
  };
}
