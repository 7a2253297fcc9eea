import type { Operation } from '#operation/operation.ts';
import { sessionAnswer } from '#shared/console/session-answer.ts';

export const getSession: Operation<'session.get'> = async (context, { session }) =>
  sessionAnswer(context, session);
