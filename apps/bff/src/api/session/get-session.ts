import type { Operation } from '../../http/operation.ts';
import { sessionAnswer } from './session-answer.ts';

export const getSession: Operation<'getSession'> = async (context, { session }) =>
  sessionAnswer(context, session);
