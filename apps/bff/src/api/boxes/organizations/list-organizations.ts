import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { notThere } from '#shared/boxes/records.ts';
import { listOrganizations as list } from '#upstreams/box-registry/management.ts';

export const listOrganizations: Operation<'organizations.list'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const found = await list(caller);
  if (found === null) throw notThere(caller, 'list of organizations');
  return { organizations: [...found.organizations] };
};
