import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { withName } from '#shared/access/session-names.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';

export const getAccessSession: Operation<'accessSessions.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  return withName(context, call, await sessions.get(caller, call.params.id));
};
