import { leaseLimit, type CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import type { Operation } from '#operation/operation.ts';
import { mapInOrder } from '#shared/concurrently.ts';
import { cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { leaseIdsOf, leaseOf, leasesAtOnce } from '#shared/secrets/cloud-leases.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import { readLease } from '#upstreams/secrets-server/leases.ts';

export const listCloudLeases: Operation<'cloudLeases.list'> = async (context, call) => {
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

/** What doesn't end by itself comes last. */
function byEnd(a: CloudLease, b: CloudLease): number {
  return (Date.parse(a.expire_time) || Infinity) < (Date.parse(b.expire_time) || Infinity) ? -1 : 1;
}
