import type { Operation } from '../../http/operation.ts';
import { mayIn } from '../../upstreams/box-registry/management.ts';
import { boxesCaller } from './caller.ts';
import { boxes } from './kinds.ts';
import { updateRecord } from './records.ts';

const update = updateRecord(boxes);

export const updateBox: Operation<'updateBox'> = async (context, call) => {
  const updated = await update(context, call);
  return { ...updated, may: await mayIn(await boxesCaller(context, call), updated.username) };
};
