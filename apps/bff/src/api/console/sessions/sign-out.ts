import type { Operation } from '#operation/operation.ts';

export const signOut: Operation<'signOut'> = async (
  { cookie, deliveries, log, sessions },
  { query, session, caller },
) => {
  if (query.stop_deliveries === true) await deliveries.stopOf(session.id);
  await sessions.end(session.id, 'ended');
  caller.setCookie(cookie.clear(caller.port));
  log.info('signed out', { requestId: caller.requestId, userId: session.personId });
};
