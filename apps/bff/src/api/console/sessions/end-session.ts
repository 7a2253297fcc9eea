import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';

export const endSession: Operation<'endSession'> = async (
  { cookie, sessions },
  { params, session, caller },
) => {
  const own = await sessions.ofPerson(session.personId);
  if (!own.some(({ id }) => id === params.id)) {
    throw new ProblemError('not-found', 'There is no such session, or it has ended already.');
  }
  await sessions.end(params.id, 'ended');
  if (params.id === session.id) caller.setCookie(cookie.clear(caller.port));
};
