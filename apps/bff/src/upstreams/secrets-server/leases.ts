/** Leases of what engines have issued. */
import { keys, lease, leaseRenewed, type WireLease } from '@gatehouse/api-types/services/secrets-server';
import { buildPath, namesIn } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { SecretsCaller } from './client.ts';
import { ask, askFor, providerDeadline, type RefusalRule } from './refusals.ts';

const leasePath = ({ transport }: SecretsCaller, ...names: readonly string[]): string =>
  buildPath(`${transport.prefix}/v1/sys/leases`, names);

/** The IDs of the leases below a prefix without a trailing slash. @throws ServiceError */
export async function listLeases(caller: SecretsCaller, prefix: string): Promise<readonly string[]> {
  const path = buildPath(`${caller.transport.prefix}/v1/sys/leases/lookup`, namesIn(prefix), {
    query: { list: true },
  });
  const answer = await askFor(caller, { method: 'GET', path });
  if (answer === null) return [];
  const { data } = await caller.transport.parse(keys, answer);
  return data.keys.filter((key) => !key.endsWith('/')).map((key) => `${prefix}/${key}`);
}

const gone: RefusalRule = {
  says: /invalid lease|lease (?:is )?not found|lease expired|already (?:expired|revoked)/i,
  code: 'not-found',
  means: 'This lease has ended.',
};

/** @returns null if the lease has ended @throws ServiceError */
export async function readLease(caller: SecretsCaller, id: string): Promise<WireLease | null> {
  try {
    const request = { method: 'PUT', path: leasePath(caller, 'lookup'), body: { lease_id: id } } as const;
    const answer = await askFor(caller, request, [gone]);
    return answer === null ? null : (await caller.transport.parse(lease, answer)).data;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}

/** @param increment seconds; undefined for the engine's default @returns the new remaining seconds */
export async function renewLease(
  caller: SecretsCaller,
  id: string,
  increment: number | undefined,
): Promise<{ readonly lease_duration: number; readonly renewable: boolean }> {
  const body = { lease_id: id, ...(increment !== undefined && { increment }) };
  const answer = await ask(caller, { method: 'PUT', path: leasePath(caller, 'renew'), body }, [
    gone,
    {
      says: /not renewable/i,
      field: 'lease_id',
      means: "This lease can't be renewed. Generate new credentials when it ends.",
    },
  ]);
  return await caller.transport.parse(leaseRenewed, answer);
}

const revokeRules: readonly RefusalRule[] = [
  {
    says: /failed to revoke/,
    code: 'service-unavailable',
    means:
      "The issued credentials haven't been deleted at the provider yet. The server keeps retrying; if that fails, check its log.",
  },
];

/** @param sync whether to wait until the issued credentials are deleted at the provider */
export async function revokeLease(caller: SecretsCaller, id: string, sync: boolean): Promise<void> {
  const body = { lease_id: id, ...(sync && { sync }) };
  const request = {
    method: 'PUT',
    path: leasePath(caller, 'revoke'),
    body,
    deadlineMs: providerDeadline,
  } as const;
  await askFor(caller, request, revokeRules);
}

/** Revokes every lease below a prefix without a trailing slash. Servers require `sudo`. */
export async function revokePrefix(caller: SecretsCaller, prefix: string): Promise<void> {
  const path = leasePath(caller, 'revoke-prefix', ...namesIn(prefix));
  await askFor(caller, { method: 'PUT', path, body: {}, deadlineMs: providerDeadline }, revokeRules);
}
