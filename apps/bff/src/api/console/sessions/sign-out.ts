import { audited, type Operation } from '#operation/operation.ts';
import { hasEnded } from '#shared/console/sessions.ts';

export const signOut: Operation<'session.signOut'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await hasEnded(context, intent)) ? 'succeeded' : 'failed',
    }),
  },
  async ({ cookie, deliveries, log, moveJobs, sessions }, { query, session, caller }) => {
    if (query.stop_deliveries === true) {
      await deliveries.stopOf(session.id);
      await moveJobs.pauseOf(session.id);
    }
    await sessions.end(session.id, 'ended');
    caller.setCookie(cookie.clear(caller.port));
    log.info('signed out', { requestId: caller.requestId, userId: session.personId });
  },
);
