import { statusOf } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

/** @param scope the project of the session's target */
export function wireSession(
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
