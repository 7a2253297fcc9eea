import type { Operation } from '../../http/operation.ts';
import { sessions } from '../../upstreams/access-controller/sessions.ts';
import { accessCaller } from './caller.ts';
import { withName } from './session-names.ts';

export const getAccessSession: Operation<'getAccessSession'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  return withName(caller, await sessions.get(caller, call.params.id));
};
