import { guardedWrite } from '#conflict/guarded-write.ts';
import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { withName } from '#shared/access/session-names.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';

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
