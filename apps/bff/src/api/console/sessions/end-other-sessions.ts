import type { Operation } from '#operation/operation.ts';

export const endOtherSessions: Operation<'endOtherSessions'> = async ({ sessions }, { session }) => {
  const others = (await sessions.ofPerson(session.personId)).filter(({ id }) => id !== session.id);
  const ended = await Promise.all(others.map(({ id }) => sessions.end(id, 'ended')));
  return { ended: ended.filter(Boolean).length };
};
