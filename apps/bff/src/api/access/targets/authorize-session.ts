import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { explained } from '#shared/access/explain-authorization.ts';
import { authorize } from '#upstreams/access-controller/sessions.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

export const authorizeSession: Operation<'authorizeSession'> = async (context, call) => {
  const { id } = call.params;
  const caller = await accessCaller(context, call);
  // By its name the target is told in the audit trail; and a target that is there has another reason for a 404.
  const target = await targets.get(caller, id);
  call.note.saw({ id, name: target.name });
  return explained(caller, id, true, () => authorize(caller, id, { host_id: call.body.host_id }));
};
