import type { Operation } from '#operation/operation.ts';
import { timestamp } from '#shared/console/session-answer.ts';

export const listSessions: Operation<'sessions.list'> = async ({ sessions }, { session }) => {
  const rows = await sessions.ofPerson(session.personId);
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === session.id,
      signed_in_at: timestamp(row.signed_in_at),
      last_active_at: timestamp(row.last_active_at),
      expires_at: timestamp(row.expires_at),
      address: row.address,
      client: row.client,
    })),
  };
};
