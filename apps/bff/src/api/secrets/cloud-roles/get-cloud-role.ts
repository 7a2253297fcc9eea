import type { Operation } from '#operation/operation.ts';
import { cloudCaller, noRole } from '#shared/secrets/cloud-calls.ts';
import { mayWithRole, readCloudRole } from '#shared/secrets/cloud-roles.ts';

export const getCloudRole: Operation<'cloudRoles.get'> = async (context, call) => {
  const { mount, role } = call.params;
  const place = { mount, role };
  const caller = await cloudCaller(context, call);
  const [found, may] = await Promise.all([readCloudRole(caller, place), mayWithRole(caller, place)]);
  if (found === null) throw noRole(caller);
  return { ...found, may };
};
