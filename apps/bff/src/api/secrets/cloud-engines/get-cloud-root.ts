import type { Operation } from '#operation/operation.ts';
import { cloudCaller } from '#shared/secrets/cloud-calls.ts';
import { mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { changeOfRoot, readCloudRoot } from '#shared/secrets/cloud-root.ts';

export const getCloudRoot: Operation<'cloudEngines.getRoot'> = async (context, call) => {
  const { environment, mount } = call.params;
  const caller = await cloudCaller(context, call);
  const [root, changed, may] = await Promise.all([
    readCloudRoot(caller, mount),
    changeOfRoot(context, environment, mount, call.slices),
    mayWithEngine(caller, mount),
  ]);
  return { ...root, changed, may };
};
