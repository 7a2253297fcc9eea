import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { CloudRoleReference, SecretReference } from '@gatehouse/api-types/console/targets';
import { secretsCaller } from '#api/secrets/caller.ts';
import { listCloudMounts } from '#api/secrets/cloud-engines.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { cloudRoleOf, ownSecretsServer, secretOf } from './read-secrets.ts';

/** A secret or a cloud role that a library reads; empty if there is nothing to link to. */
export interface SecretLink {
  readonly secret?: SecretReference;
  readonly cloud_role?: CloudRoleReference;
}

/** Finds what a library reads, if the caller can see its store and the store uses the environment's secrets server. */
export type SecretLinks = (library: CredentialLibrary) => Promise<SecretLink>;

/** Finds links for the libraries of one call; undefined if the environment has no secrets server. */
export function secretLinks(
  context: Context,
  call: ServiceCall,
  caller: AccessCaller,
): SecretLinks | undefined {
  const isOwn = ownSecretsServer(context.config, caller.transport.environment);
  if (isOwn === undefined) return undefined;
  const stores = new Map<string, Promise<boolean>>();
  let engines: Promise<ReadonlySet<string>> | undefined;
  return async (library) => {
    const secret = secretOf(library);
    const role = secret === undefined ? cloudRoleOf(library) : undefined;
    if (secret === undefined && role === undefined) return {};
    const { credential_store_id: id } = library;
    // Without access to the store, the caller gets no link.
    const own = stores.get(id) ?? credentialStores.get(caller, id).then(isOwn, () => false);
    stores.set(id, own);
    if (!(await own)) return {};
    if (secret !== undefined) return { secret };
    engines ??= cloudMounts(context, call);
    return role !== undefined && (await engines).has(role.mount) ? { cloud_role: role } : {};
  };
}

/** The mount paths of cloud engines; empty if the caller can't query the secrets server. */
async function cloudMounts(context: Context, call: ServiceCall): Promise<ReadonlySet<string>> {
  try {
    const mounts = await listCloudMounts(await secretsCaller(context, call));
    return new Set(mounts.map(({ path }) => path));
  } catch {
    return new Set();
  }
}
