import { sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import { allowedOn, forbidden, ownSessionActions } from '../../domain/permissions.ts';
import { notFound, FieldFaults } from '../../domain/refusal.ts';
import { sessionPrefix, type Session, canceled, statusOf } from '../../domain/session/session.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireCaller, type Caller, requireIn } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { answerPage, readPageRequest, type AskedListing } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { QueryReader } from '../query.ts';
import { scopeSummaries, type WireScopeSummary } from '../wire/scope.ts';
import { wireTime } from '../wire/time.ts';

export function sessionActions(caller: Caller, session: Session): readonly string[] {
  const byRole = allowedOn('session', caller.role);
  return session.userId === caller.account.id ? [...byRole, ...ownSessionActions(caller.role)] : byRole;
}

/**
 * The session in a request's path: the caller's own or, with the right role, any.
 * @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found`
 */
export async function requestedSession(
  context: Context,
  req: Request,
  action: 'read' | 'cancel',
): Promise<{ readonly caller: Caller; readonly session: Session }> {
  const id = requireCaller(context, req, () => pathId(req, sessionPrefix));
  await context.sessions.settle(context.clock.now());
  return requireCaller(context, req, (caller) => {
    const session = context.sessions.get(id);
    const actions =
      session === undefined ? allowedOn('session', caller.role) : sessionActions(caller, session);
    // Without the right to all sessions, unknown sessions and those of other users look the same.
    if (!actions.includes(action) && !actions.includes(`${action}:self`)) throw forbidden();
    if (session === undefined) throw notFound();
    return { caller, session };
  });
}

/** POST /v1/sessions/{id}:cancel: cancels a session, if `version` is the current one. */
export const cancelSession: Operation = async (context, req, res) => {
  const { caller, session: found } = await requestedSession(context, req, 'cancel');
  const faults = new FieldFaults();
  const version = new MemberReader(readObject(req), faults).version();
  faults.refuseAny();

  const now = context.clock.now();
  const session = await context.sessions.change(found.id, version ?? 0, (current) => canceled(current, now));
  const scope = scopeSummaries(context.scopes)(session.projectId);
  sendJson(res, 200, wireSession(session, scope, sessionActions(caller, session)));
};

/** GET /v1/sessions/{id} */
export const getSession: Operation = async (context, req, res) => {
  const { caller, session } = await requestedSession(context, req, 'read');
  const scope = scopeSummaries(context.scopes)(session.projectId);
  sendJson(res, 200, wireSession(session, scope, sessionActions(caller, session)));
};

/**
 * GET /v1/sessions: a page, newest first, of the caller's own sessions, or with the right role of all sessions;
 * terminated sessions only with `include_terminated`.
 */
export const listSessions: Operation = async (context, req, res) => {
  const caller = requireIn(context, req, 'session', 'list');
  const faults = new FieldFaults();
  const scopes = readProjectScopes(req, faults);
  const terminated = new QueryReader(req, faults).boolean('include_terminated');
  const request = await readPageRequest(context, req, faults);
  faults.refuseAny();

  const now = context.clock.now();
  await context.sessions.settle(now);
  const userId = allowedOn('session', caller.role).includes('read') ? undefined : caller.account.id;
  const scopeOf = scopeSummaries(context.scopes);
  const asked: AskedListing<Session> = {
    listing: context.sessions.listing({ userId, terminated }),
    within: withinScopes(context, scopes),
    of: [
      'session',
      scopes.scopeId,
      scopes.recursive ? 'recursive' : '',
      terminated ? 'terminated' : '',
      userId ?? '',
    ],
    toWire: (session) => wireSession(session, scopeOf(session.projectId), sessionActions(caller, session)),
    belongs: (session) => terminated || statusOf(session) !== 'terminated',
  };
  sendJson(res, 200, await answerPage(asked, request, now));
};

/** @param scope the project of the session's target */
function wireSession(
  session: Session,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    id: session.id,
    scope_id: session.projectId,
    scope,
    target_id: session.targetId,
    user_id: session.userId,
    auth_token_id: session.authTokenId,
    host_id: session.hostId,
    host_set_id: session.hostSetId,
    type: session.type,
    endpoint: session.endpoint,
    created_time: wireTime(session.createdTime),
    updated_time: wireTime(session.updatedTime),
    expiration_time: wireTime(session.expirationTime),
    version: session.version,
    connection_limit: session.connectionLimit,
    status: statusOf(session),
    states: session.states.map((state) => ({
      status: state.status,
      start_time: wireTime(state.startTime),
      end_time: state.endTime === null ? null : wireTime(state.endTime),
    })),
    termination_reason: session.terminationReason,
    authorized_actions: actions,
  };
}
