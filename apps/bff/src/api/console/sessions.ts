import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import type { AuditRow } from '#store/schema.ts';

/** What the audit trail says of sessions of the console: they have no name of their own, and their bodies are no fields. */
export const inSessions: ResourceAudit = {
  service: '',
  address: ({ params, session }) => ({
    id: params['id'] ?? session?.id ?? '',
    name: session === undefined ? '' : session.personName || session.loginName,
    paths: [],
  }),
};

/** Whether the session that an intent was about has ended. */
export async function hasEnded(
  { sessions }: Context,
  { person_id, resource_id }: AuditRow,
): Promise<boolean> {
  return !(await sessions.ofPerson(person_id)).some(({ id }) => id === resource_id);
}
