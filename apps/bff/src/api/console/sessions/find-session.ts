import type { Operation } from '#operation/operation.ts';
import { sessionAnswer } from '#shared/console/session-answer.ts';

export const findSession: Operation<'session.find'> = async (context, { session, signedOut }) => ({
  session: session === undefined ? null : await sessionAnswer(context, session),
  signed_out: signedOut ?? null,
});
