import type { Operation } from '../../http/operation.ts';
import { createProvider } from '../../upstreams/box-registry/boxes.ts';
import { boxesCaller } from './caller.ts';
import { providers } from './kinds.ts';
import { createRecord } from './records.ts';

export const createBoxProvider: Operation<'createBoxProvider'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { ...params, provider: body.name };
  return createRecord(providers, caller, at, body, note, () => createProvider(caller, params, body));
};
