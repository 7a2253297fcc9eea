/** Leases that a cloud role has issued. */
import type { CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import type { WireLease } from '@gatehouse/api-types/services/secrets-server';
import { mapInOrder } from '#api/concurrently.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { listLeases, revokeLease } from '#upstreams/secrets-server/leases.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { invalidField } from './invalid-field.ts';

/** The number of leases read or revoked concurrently. */
export const leasesAtOnce = 8;

/** A role's lease prefixes: servers keep the leases of its two paths separately. */
export function leasePrefixes({ mount, role }: RolePlace): readonly string[] {
  return [`${mount}/creds/${role}`, `${mount}/sts/${role}`];
}

/** The IDs of all leases of a role. @throws ServiceError `forbidden` if the caller may not list them */
export async function leaseIdsOf(caller: SecretsCaller, place: RolePlace): Promise<readonly string[]> {
  return (await Promise.all(leasePrefixes(place).map((prefix) => listLeases(caller, prefix)))).flat();
}

/**
 * Checks that leases are the role's, because a lease ID can name anything that the server issued.
 * @throws ProblemError `invalid-request` for another's lease
 */
export function checkOfRole(
  caller: SecretsCaller,
  place: RolePlace,
  ids: readonly string[],
  path: string,
): void {
  const prefixes = leasePrefixes(place);
  const isOfRole = (id: string): boolean =>
    prefixes.some((prefix) => id.startsWith(`${prefix}/`) && !id.slice(prefix.length + 1).includes('/'));
  if (ids.every(isOfRole)) return;
  throw invalidField(caller, path, "This lease doesn't belong to the role.");
}

/** A lease as the page gets it. */
export function leaseOf({ id, issue_time, expire_time, last_renewal, renewable }: WireLease): CloudLease {
  return { id, issue_time, expire_time, last_renewal_time: last_renewal, renewable };
}

/** The result of revoking leases. */
interface Revoked {
  readonly revoked: string[];
  readonly failed: { readonly id: string; readonly message: string }[];
}

/** Revokes leases one by one, with a result for each. @throws ServiceError if the caller may not revoke any */
export async function revokeEach(caller: SecretsCaller, ids: readonly string[]): Promise<Revoked> {
  const became: Revoked = { revoked: [], failed: [] };
  const results = mapInOrder(ids, async (id) => ({ id, error: await revokeOne(caller, id) }), leasesAtOnce);
  for await (const { id, error } of results) {
    if (error === undefined) became.revoked.push(id);
    else if (error.code === 'not-connected' || (error.code === 'forbidden' && ids.length === 1)) throw error;
    else became.failed.push({ id, message: error.message });
  }
  return became;
}

/** Revokes and waits until the credentials are deleted. If that fails, the server is asked to keep trying. */
async function revokeOne(caller: SecretsCaller, id: string): Promise<ServiceError | undefined> {
  try {
    await revokeLease(caller, id, true);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The server's own refusals are final. Only what the provider or a lost answer left undone is retried.
    if ([400, 403, 404].includes(error.serviceStatus ?? 0)) return error;
    await revokeLease(caller, id, false).catch(() => undefined);
    return error;
  }
}
