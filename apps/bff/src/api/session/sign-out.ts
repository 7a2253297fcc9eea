import type { Operation } from '../../http/operation.ts';

export const signOut: Operation<'signOut'> = async ({ cookie, log, sessions }, { session, caller }) => {
  await sessions.end(session.id, 'ended');
  caller.setCookie(cookie.clear(caller.port));
  log.info('signed out', { requestId: caller.requestId, userId: session.personId });
};
