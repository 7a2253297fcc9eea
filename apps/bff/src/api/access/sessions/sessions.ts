import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { resource, compressed, type Operation, audited } from '#operation/operation.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';
import { changed } from '../became.ts';
import { inAccess, accessCaller } from '../caller.ts';
import { listRecords } from '../records.ts';
import { withNames, withName } from '../session-names.ts';
import { storedRecord, versionOf } from '../stored-record.ts';

const cancelAccessSession: Operation<'accessSessions.cancel'> = audited(
  { became: changed(sessions, isEnding) },
  async (context, call) => {
    const { params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    const canceled = await guardedWrite({
      ...storedRecord(sessions, caller, params.id, note),
      expected: revision,
      send: () => sessions.act(caller, params.id, 'cancel', { version }),
      // The session is ending, as requested, no matter who ended it.
      equalsSent: isEnding,
      readFirst: true,
    });
    return withName(context, call, canceled);
  },
);

const getAccessSession: Operation<'accessSessions.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  return withName(context, call, await sessions.get(caller, call.params.id));
};

const list = listRecords(sessions);

const listAccessSessions: Operation<'accessSessions.list'> = compressed(async (context, call) => {
  const page = await list(context, call);
  return { ...page, items: await withNames(context, call, page.items) };
});

export const accessSessionOperations = resource(inAccess, {
  'accessSessions.list': listAccessSessions,
  'accessSessions.get': getAccessSession,
  'accessSessions.cancel': cancelAccessSession,
});

function isEnding({ status }: Pick<AccessSession, 'status'>): boolean {
  return status === 'canceling' || status === 'terminated';
}
