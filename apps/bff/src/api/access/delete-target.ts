import { guardedDelete } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import { deleteTarget as remove } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { storedTarget } from './stored-target.ts';

export const deleteTarget: Operation<'deleteTarget'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  await guardedDelete({
    ...storedTarget(caller, call.params.id),
    expected: call.revision,
    remove: () => remove(caller, call.params.id),
  });
};
