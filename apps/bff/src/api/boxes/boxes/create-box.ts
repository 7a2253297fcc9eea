import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { createRecord } from '#shared/boxes/records.ts';
import { mayIn } from '#upstreams/box-registry/management.ts';

const create = createRecord(boxes);

export const createBox: Operation<'boxes.create'> = audited(create, async (context, call) => {
  const made = await create(context, call);
  return { ...made, may: await mayIn(await boxesCaller(context, call), made.username) };
});
