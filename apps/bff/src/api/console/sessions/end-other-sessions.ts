import { audited, type Operation, type WhatBecame } from '#operation/operation.ts';

/** Whether no session of the person is left that was there before, beside the one that ended the others. */
const haveOthersEnded: WhatBecame = async ({ sessions }, _call, { person_id, session_id, time }) => {
  const rows = await sessions.ofPerson(person_id);
  const isLeft = rows.some((row) => row.id !== session_id && row.signed_in_at <= time);
  return { outcome: isLeft ? 'failed' : 'succeeded' };
};

export const endOtherSessions: Operation<'sessions.endOthers'> = audited(
  { became: haveOthersEnded },
  async ({ sessions }, { session }) => {
    const others = (await sessions.ofPerson(session.personId)).filter(({ id }) => id !== session.id);
    const ended = await Promise.all(others.map(({ id }) => sessions.end(id, 'ended')));
    return { ended: ended.filter(Boolean).length };
  },
);
