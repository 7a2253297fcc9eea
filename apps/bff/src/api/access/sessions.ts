import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { guardedWrite } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import { sessions } from '../../upstreams/access-controller/sessions.ts';
import { accessCaller } from './caller.ts';
import { listRecords } from './records.ts';
import { withNames } from './session-names.ts';
import { storedRecord, versionOf } from './stored-record.ts';

const list = listRecords(sessions);

export const listAccessSessions: Operation<'listAccessSessions'> = async (context, call) => {
  const page = await list(context, call);
  return { ...page, items: await withNames(await accessCaller(context, call), page.items) };
};

export const getAccessSession: Operation<'getAccessSession'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  return named(await withNames(caller, [await sessions.get(caller, call.params.id)]));
};

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
  return named(await withNames(caller, [cancelled]));
};

function named([session]: readonly AccessSession[]): AccessSession {
  if (session === undefined) throw new TypeError('one session becomes one session');
  return session;
}
