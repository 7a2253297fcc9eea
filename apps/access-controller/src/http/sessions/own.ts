import type { Request } from 'express';
import { allowedOn, forbidden, ownSessionActions } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import { sessionPrefix } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { requireCaller } from '../caller.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pathId } from '../path-id.ts';

/** What a caller may do with a session. */
export function sessionActions(caller: Caller, session: Session): readonly string[] {
  const byRole = allowedOn('session', caller.role);
  return session.userId === caller.account.id ? [...byRole, ...ownSessionActions(caller.role)] : byRole;
}

/**
 * The session that a request is about, one's own or, with the right role, anyone's.
 * @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found`
 */
export async function requestedSession(
  context: Context,
  req: Request,
  action: 'read' | 'cancel',
): Promise<{ readonly caller: Caller; readonly session: Session }> {
  const caller = requireCaller(context, req);
  const id = pathId(req, sessionPrefix);
  await context.sessions.settle(context.clock.now());
  const session = context.sessions.get(id);
  const actions = session === undefined ? allowedOn('session', caller.role) : sessionActions(caller, session);
  // Without the right to all sessions, an unknown one and another person's look alike.
  if (!actions.includes(action) && !actions.includes(`${action}:self`)) throw forbidden();
  if (session === undefined) throw notFound();
  return { caller, session };
}
