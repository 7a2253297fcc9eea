import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { capabilitiesOf } from '#shared/secrets/capabilities.ts';

export const getSecretCapabilities: Operation<'secrets.getCapabilities'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  return { may: await capabilitiesOf(caller, { mount, path: call.query.path ?? '' }) };
};
