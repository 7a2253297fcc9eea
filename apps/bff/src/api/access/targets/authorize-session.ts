import { leeway } from '#audit/became.ts';
import { audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { explained } from '#shared/access/explain-authorization.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { authorize, sessions } from '#upstreams/access-controller/sessions.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

/** Whether a session of the person began at the target meanwhile. */
const isAuthorized: WhatBecame = async (context, call, intent, wish) => {
  const caller = await accessCaller(context, call);
  const userId = intent.person_id.split('/').at(-1) ?? '';
  const page = await sessions.list(caller, {
    scope_id: 'global',
    recursive: true,
    include_terminated: true,
    filter: `${fieldIs('target_id', wish.params['id'] ?? '')} and ${fieldIs('user_id', userId)}`,
  });
  const until = intent.time + leeway;
  const found = page.items.some(({ created_time }) => {
    const time = Date.parse(created_time);
    return time >= intent.time && time <= until;
  });
  return { outcome: found ? 'succeeded' : 'failed' };
};

export const authorizeSession: Operation<'accessSessions.authorize'> = audited(
  { became: isAuthorized },
  async (context, call) => {
    const { id } = call.params;
    const caller = await accessCaller(context, call);
    // By its name the target is told in the audit trail; and a target that is there has another reason for a 404.
    const target = await targets.get(caller, id);
    call.note.saw({ id, name: target.name });
    return explained(caller, id, true, () => authorize(caller, id, { host_id: call.body.host_id }));
  },
);
