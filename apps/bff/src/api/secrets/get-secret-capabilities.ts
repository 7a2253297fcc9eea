import type { Operation } from '../../http/operation.ts';
import { secretsCaller } from './caller.ts';
import { capabilitiesOf } from './capabilities.ts';

export const getSecretCapabilities: Operation<'getSecretCapabilities'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  return { may: await capabilitiesOf(caller, { mount, path: call.query.path ?? '' }) };
};
