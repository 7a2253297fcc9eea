import { sendJson } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireSession } from '../wire/session.ts';
import { requestedSession, sessionActions } from './own.ts';

/** GET /v1/sessions/{id} */
export const getSession: Operation = async (context, req, res) => {
  const { caller, session } = await requestedSession(context, req, 'read');
  const scope = scopeSummaries(context.scopes)(session.projectId);
  sendJson(res, 200, wireSession(session, scope, sessionActions(caller, session)));
};
