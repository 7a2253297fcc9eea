import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults } from '../../domain/refusal.ts';
import { cancelled } from '../../domain/session/session.ts';
import { MemberReader, readObject } from '../body.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireSession } from '../wire/session.ts';
import { requestedSession, sessionActions } from './own.ts';

/** POST /v1/sessions/{id}:cancel: ends a session, if `version` is the current one. */
export const cancelSession: Operation = async (context, req, res) => {
  const { caller, session: found } = await requestedSession(context, req, 'cancel');
  const faults = new FieldFaults();
  const version = new MemberReader(readObject(req), faults).version();
  faults.refuseAny();

  const now = context.clock.now();
  const session = await context.sessions.change(found.id, version ?? 0, (current) => cancelled(current, now));
  const scope = scopeSummaries(context.scopes)(session.projectId);
  sendJson(res, 200, wireSession(session, scope, sessionActions(caller, session)));
};
