import { sendJson } from '@gatehouse/service-kit/http';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { statusOf } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { answerPage, readPageRequest } from '../paged-list.ts';
import type { AskedListing } from '../paged-list.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { QueryReader } from '../query.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireSession } from '../wire/session.ts';
import { sessionActions } from './own.ts';

/**
 * GET /v1/sessions: pages, newest first, of one's own sessions, or with the right role everyone's; those that ended
 * with `include_terminated` alone.
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
