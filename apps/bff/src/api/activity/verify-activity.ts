import type { Operation } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import { visibleTo } from './visibility.ts';

export const verifyActivity: Operation<'verifyActivity'> = async (context, call) => {
  if ((await visibleTo(context, call)) !== undefined) {
    throw new ProblemError('forbidden', 'The audit trail is checked by administrators, who see all of it.', {
      environment: call.params.environment,
    });
  }
  return context.activity.verify();
};
