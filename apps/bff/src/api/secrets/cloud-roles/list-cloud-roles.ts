import type { CloudRoleSummary } from '@gatehouse/api-types/console/cloud-roles';
import { compressed, type Operation } from '#operation/operation.ts';
import { mapInOrder } from '#shared/concurrently.ts';
import { cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { summaryOf } from '#shared/secrets/cloud-roles.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import { listRoles, readRole } from '#upstreams/secrets-server/cloud.ts';

/** Roles that are read at once. */
const atOnce = 8;

export const listCloudRoles: Operation<'cloudRoles.list'> = compressed(async (context, call) => {
  const { mount } = call.params;
  const { q = '', offset = 0, limit = 50 } = call.query;
  const caller = await cloudCaller(context, call);
  const wanted = q.toLowerCase();
  const names = (await listRoles(caller, mount)).filter((name) => name.toLowerCase().includes(wanted));
  const read = async (role: string): Promise<CloudRoleSummary> => {
    const found = await orDenied(readRole(caller, { mount, role }));
    return summaryOf(role, found === 'denied' ? null : found);
  };
  const items = await Array.fromAsync(mapInOrder(names.slice(offset, offset + limit), read, atOnce));
  return { items, total: names.length };
});
