import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { checkOfRole, leaseOf } from '#shared/secrets/cloud-leases.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import { readLease, renewLease } from '#upstreams/secrets-server/leases.ts';

export const renewCloudLease: Operation<'cloudLeases.renew'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { mount, role } = call.params;
    const { lease_id: id, increment } = call.body;
    const caller = await cloudCaller(context, call);
    checkOfRole(caller, { mount, role }, [id], 'lease_id');
    const renewed = await renewLease(caller, id, increment === undefined ? undefined : secondsOf(increment));
    const stored = await orDenied(readLease(caller, id)).catch(() => 'denied' as const);
    if (stored !== 'denied' && stored !== null) return leaseOf(stored);
    const now = caller.now();
    return {
      id,
      issue_time: '',
      expire_time: new Date(now + renewed.lease_duration * 1000).toISOString(),
      last_renewal_time: new Date(now).toISOString(),
      renewable: renewed.renewable,
    };
  },
);
