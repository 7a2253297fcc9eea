import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { providers } from '#shared/boxes/kinds.ts';
import { createRecord } from '#shared/boxes/records.ts';
import { createProvider } from '#upstreams/box-registry/boxes.ts';

export const createBoxProvider: Operation<'createBoxProvider'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { ...params, provider: body.name };
  return createRecord(providers, caller, at, body, note, () => createProvider(caller, params, body));
};
