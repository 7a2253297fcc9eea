import { guardedWrite } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import { sessions } from '../../upstreams/access-controller/sessions.ts';
import { accessCaller } from './caller.ts';
import { withName } from './session-names.ts';
import { storedRecord, versionOf } from './stored-record.ts';

export const cancelAccessSession: Operation<'cancelAccessSession'> = async (context, call) => {
  const { params, revision, note } = call;
  const version = versionOf(revision);
  const caller = await accessCaller(context, call);
  const cancelled = await guardedWrite({
    ...storedRecord(sessions, caller, params.id, note),
    expected: revision,
    send: () => sessions.act(caller, params.id, 'cancel', { version }),
    // Whoever ended it, it is ending: that is all that was asked for.
    equalsSent: ({ status }) => status === 'canceling' || status === 'terminated',
    readFirst: true,
  });
  return withName(caller, cancelled);
};
