import { audited, type Operation } from '#operation/operation.ts';
import { atRole, cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { checkOfRole, revokeEach } from '#shared/secrets/cloud-leases.ts';
import { readLease } from '#upstreams/secrets-server/leases.ts';

export const revokeCloudLeases: Operation<'cloudLeases.revoke'> = audited(
  {
    became: atRole(async (caller, _place, { body }) => {
      const { lease_ids: ids } = body;
      if (!Array.isArray(ids)) return 'unknown';
      for (const id of ids) if ((await readLease(caller, String(id))) !== null) return 'unknown';
      return 'succeeded';
    }),
  },
  async (context, call) => {
    const { mount, role } = call.params;
    const { lease_ids: ids } = call.body;
    const caller = await cloudCaller(context, call, true);
    checkOfRole(caller, { mount, role }, ids, 'lease_ids');
    return revokeEach(caller, [...new Set(ids)]);
  },
);
