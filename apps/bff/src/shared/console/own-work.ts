import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { AuditRow } from '#store/schema.ts';
import type { Became } from '../access/became.ts';

/** What became of something that the console itself does: its own store tells. */
export async function ownWork(context: Context, intent: AuditRow, wish: Wish): Promise<Became> {
  switch (wish.operation) {
    // Nobody received the answer, and with it the cookie: nobody was signed in.
    case 'signIn':
    case 'confirmSession':
    case 'settleActivity':
      return { outcome: 'failed' };
    case 'signOut':
    case 'endSession':
      return { outcome: (await lasts(context, intent, intent.resource_id)) ? 'failed' : 'succeeded' };
    case 'endOtherSessions':
      return { outcome: (await othersLast(context, intent)) ? 'failed' : 'succeeded' };
    case 'connect':
      return { outcome: (await connectedSince(context, intent)) ? 'succeeded' : 'failed' };
    case 'disconnect':
      return { outcome: (await connectedSince(context, { ...intent, time: 0 })) ? 'failed' : 'succeeded' };
    default:
      return { outcome: 'unknown' };
  }
}

async function lasts({ sessions }: Context, { person_id }: AuditRow, id: string): Promise<boolean> {
  return (await sessions.ofPerson(person_id)).some((session) => session.id === id);
}

/** Whether a session of the person that was there before still is, beside the one that ended the others. */
async function othersLast(
  { sessions }: Context,
  { person_id, session_id, time }: AuditRow,
): Promise<boolean> {
  const rows = await sessions.ofPerson(person_id);
  return rows.some((row) => row.id !== session_id && row.signed_in_at <= time);
}

async function connectedSince({ connections }: Context, intent: AuditRow): Promise<boolean> {
  const rows = await connections.of(intent.session_id);
  return rows.some(
    (row) =>
      row.environment === intent.environment &&
      row.service === intent.service &&
      row.connected_at >= intent.time,
  );
}
