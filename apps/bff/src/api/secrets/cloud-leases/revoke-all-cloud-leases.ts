import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atRole, cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { leaseIdsOf, leasePrefixes, revokeEach } from '#shared/secrets/cloud-leases.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { revokePrefix } from '#upstreams/secrets-server/leases.ts';

/** By the addresses of the role where that is allowed, which takes `sudo`; else one by one. */
export const revokeAllCloudLeases: Operation<'cloudLeases.revokeAll'> = audited(
  {
    became: atRole(async (caller, place) =>
      (await leaseIdsOf(caller, place)).length === 0 ? 'succeeded' : 'unknown',
    ),
  },
  async (context, call) => {
    const { mount, role } = call.params;
    const place = { mount, role };
    const caller = await cloudCaller(context, call, true);
    for (const prefix of leasePrefixes(place)) {
      if ((await orDenied(revokePrefix(caller, prefix))) === 'denied') return revokeOneByOne(caller, place);
    }
  },
);

async function revokeOneByOne(caller: SecretsCaller, place: RolePlace): Promise<void> {
  const ids = await leaseIdsOf(caller, place);
  const { failed } = await revokeEach(caller, ids);
  const [first] = failed;
  if (first === undefined) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'outcome-unknown',
    `${failed.length} of ${ids.length} leases could not be revoked. ${first.message}`,
    { environment, service },
  );
}
