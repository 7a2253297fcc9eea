/** Leases of what a cloud role issued. */
import type { CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import type { WireLease } from '@gatehouse/api-types/services/secrets-server';
import { mapInOrder } from '#api/concurrently.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { listLeases, revokeLease } from '#upstreams/secrets-server/leases.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { invalidField } from './invalid-field.ts';

/** Leases that the server is asked about at once. */
export const leasesAtOnce = 8;

/** Where a role's leases are: servers keep those of its two addresses apart. */
export function leasePrefixes({ mount, role }: RolePlace): readonly string[] {
  return [`${mount}/creds/${role}`, `${mount}/sts/${role}`];
}

/** The ids of all leases of a role. @throws ServiceError `forbidden` where they may not be listed */
export async function leaseIdsOf(caller: SecretsCaller, place: RolePlace): Promise<readonly string[]> {
  return (await Promise.all(leasePrefixes(place).map((prefix) => listLeases(caller, prefix)))).flat();
}

/**
 * Leases are ended by their ids, which may be those of anything that the server issued.
 * @throws ProblemError `invalid-request` for one that is not of the role
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

/** A lease as the page sees it. */
export function leaseOf({ id, issue_time, expire_time, last_renewal, renewable }: WireLease): CloudLease {
  return { id, issue_time, expire_time, last_renewal_time: last_renewal, renewable };
}

/** What became of leases that were to be revoked. */
interface Revoked {
  readonly revoked: string[];
  readonly failed: { readonly id: string; readonly message: string }[];
}

/** Revokes leases one by one, and says of each what became of it. @throws ServiceError where none may be revoked */
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

/** Waits until what was issued is gone; where that fails, the server is asked to keep trying by itself. */
async function revokeOne(caller: SecretsCaller, id: string): Promise<ServiceError | undefined> {
  try {
    await revokeLease(caller, id, true);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Its own refusals stay what they are; only what a provider, or a lost answer, left undone is tried further.
    if ([400, 403, 404].includes(error.serviceStatus ?? 0)) return error;
    await revokeLease(caller, id, false).catch(() => undefined);
    return error;
  }
}
