import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { capabilitiesIn } from '#shared/secrets/capabilities.ts';

export const getSecretCapabilities: Operation<'secrets.getCapabilities'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  return { may: await capabilitiesIn(caller, { mount, path: call.query.path ?? '' }) };
};
