import { leaseLimit, type CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import { mapInOrder } from '#api/concurrently.ts';
import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { readLease, revokePrefix, renewLease } from '#upstreams/secrets-server/leases.ts';
import { inCloud, atRole, cloudCaller } from '../cloud-calls.ts';
import {
  checkOfRole,
  revokeEach,
  leaseIdsOf,
  leasePrefixes,
  leaseOf,
  leasesAtOnce,
} from '../cloud-leases.ts';
import { orDenied } from '../stored-secret.ts';

const listCloudLeases: Operation<'cloudLeases.list'> = async (context, call) => {
  const { mount, role } = call.params;
  const caller = await cloudCaller(context, call);
  const ids = await orDenied(leaseIdsOf(caller, { mount, role }));
  if (ids === 'denied') return { items: null, total: 0 };
  const items: CloudLease[] = [];
  let ended = 0;
  const read = (id: string) => orDenied(readLease(caller, id));
  for await (const found of mapInOrder(ids.slice(0, leaseLimit), read, leasesAtOnce)) {
    if (found === 'denied') return { items: null, total: ids.length };
    if (found === null) ended++;
    else items.push(leaseOf(found));
  }
  return { items: items.sort(byEnd), total: ids.length - ended };
};

const renewCloudLease: Operation<'cloudLeases.renew'> = audited(
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

/** Revokes by prefix if allowed, which requires `sudo`, or else one by one. */
const revokeAllCloudLeases: Operation<'cloudLeases.revokeAll'> = audited(
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

const revokeCloudLeases: Operation<'cloudLeases.revoke'> = audited(
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

export const cloudLeaseOperations = resource(inCloud, {
  'cloudLeases.list': listCloudLeases,
  'cloudLeases.renew': renewCloudLease,
  'cloudLeases.revoke': revokeCloudLeases,
  'cloudLeases.revokeAll': revokeAllCloudLeases,
});

async function revokeOneByOne(caller: SecretsCaller, place: RolePlace): Promise<void> {
  const ids = await leaseIdsOf(caller, place);
  const { failed } = await revokeEach(caller, ids);
  const [first] = failed;
  if (first === undefined) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'outcome-unknown',
    `${failed.length} of ${ids.length} leases couldn't be revoked. ${first.message}`,
    { environment, service },
  );
}

/** Sorts by expiry, with leases that don't expire last. */
function byEnd(a: CloudLease, b: CloudLease): number {
  return (Date.parse(a.expire_time) || Infinity) < (Date.parse(b.expire_time) || Infinity) ? -1 : 1;
}
