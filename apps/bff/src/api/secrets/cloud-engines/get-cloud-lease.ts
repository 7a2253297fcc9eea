import type { Operation } from '#operation/operation.ts';
import { cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { readCloudLease } from '#shared/secrets/cloud-root.ts';

export const getCloudLease: Operation<'cloudEngines.getLease'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await cloudCaller(context, call);
  const [settings, may] = await Promise.all([readCloudLease(caller, mount), mayWithEngine(caller, mount)]);
  return { ...settings, may };
};
