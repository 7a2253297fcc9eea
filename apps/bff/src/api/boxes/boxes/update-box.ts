import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { updateRecord } from '#shared/boxes/records.ts';
import { mayIn } from '#upstreams/box-registry/management.ts';

const update = updateRecord(boxes);

export const updateBox: Operation<'boxes.update'> = audited(update, async (context, call) => {
  const updated = await update(context, call);
  return { ...updated, may: await mayIn(await boxesCaller(context, call), updated.username) };
});
