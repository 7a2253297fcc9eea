import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { hasEnded } from '#shared/console/sessions.ts';

export const endSession: Operation<'sessions.end'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await hasEnded(context, intent)) ? 'succeeded' : 'failed',
    }),
  },
  async ({ cookie, sessions }, { params, session, caller }) => {
    const own = await sessions.ofPerson(session.personId);
    if (!own.some(({ id }) => id === params.id)) {
      throw new ProblemError('not-found', "This session doesn't exist or has already ended.");
    }
    await sessions.end(params.id, 'ended');
    if (params.id === session.id) caller.setCookie(cookie.clear(caller.port));
  },
);
