import type { Context } from '#operation/context.ts';
import type { AuditRow } from '#store/schema.ts';

/** Whether the session of an intent has been connected to its service since a time, in milliseconds since the epoch. */
export async function connectedSince(
  { connections }: Context,
  intent: AuditRow,
  time: number,
): Promise<boolean> {
  const rows = await connections.of(intent.session_id);
  return rows.some(
    (row) =>
      row.environment === intent.environment && row.service === intent.service && row.connected_at >= time,
  );
}
