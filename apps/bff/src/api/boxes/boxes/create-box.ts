import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { createRecord } from '#shared/boxes/records.ts';
import { createBox as create } from '#upstreams/box-registry/boxes.ts';
import { mayIn } from '#upstreams/box-registry/management.ts';

export const createBox: Operation<'createBox'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { username: params.username, name: body.name };
  const made = await createRecord(boxes, caller, at, body, note, () => create(caller, params.username, body));
  return { ...made, may: await mayIn(caller, made.username) };
};
