import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { withName } from '#shared/access/session-names.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';

export const cancelAccessSession: Operation<'accessSessions.cancel'> = audited(
  { became: changed(sessions, isEnding) },
  async (context, call) => {
    const { params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    const cancelled = await guardedWrite({
      ...storedRecord(sessions, caller, params.id, note),
      expected: revision,
      send: () => sessions.act(caller, params.id, 'cancel', { version }),
      // Whoever ended it, it is ending: that is all that was asked for.
      equalsSent: isEnding,
      readFirst: true,
    });
    return withName(context, call, cancelled);
  },
);

function isEnding({ status }: Pick<AccessSession, 'status'>): boolean {
  return status === 'canceling' || status === 'terminated';
}
