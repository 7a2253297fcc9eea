import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { notThere } from '#shared/boxes/records.ts';
import { readBox } from '#upstreams/box-registry/boxes.ts';
import { mayIn } from '#upstreams/box-registry/management.ts';

export const getBox: Operation<'boxes.get'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const [box, may] = await Promise.all([readBox(caller, call.params), mayIn(caller, call.params.username)]);
  if (box === null) throw notThere(caller, 'box');
  return { ...box, may };
};
