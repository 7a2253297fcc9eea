import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { explained } from '#shared/access/explain-authorization.ts';
import { authorize } from '#upstreams/access-controller/sessions.ts';

export const authorizeSessionByName: Operation<'accessSessions.authorizeByName'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const caller = await accessCaller(context, call);
    const { name } = call.body;
    const authorized = await explained(caller, '', false, () => authorize(caller, name, call.body));
    call.note.saw({ id: authorized.target_id, name });
    return authorized;
  },
);
