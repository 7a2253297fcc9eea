import type { Operation } from '../../http/operation.ts';
import { createBox as create } from '../../upstreams/box-registry/boxes.ts';
import { boxesCaller } from './caller.ts';
import { boxes } from './kinds.ts';
import { createRecord } from './records.ts';

export const createBox: Operation<'createBox'> = async (context, call) => {
  const { body, params, note } = call;
  const caller = await boxesCaller(context, call);
  const at = { username: params.username, name: body.name };
  return createRecord(boxes, caller, at, body, note, () => create(caller, params.username, body));
};
