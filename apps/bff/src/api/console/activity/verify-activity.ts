import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { visibleTo } from '#shared/console/visibility.ts';

export const verifyActivity: Operation<'activity.verify'> = async (context, call) => {
  if ((await visibleTo(context, call)) !== undefined) {
    throw new ProblemError(
      'forbidden',
      'Only administrators, who can see the whole audit trail, can verify it.',
      {
        environment: call.params.environment,
      },
    );
  }
  return context.activity.verify(call.slices);
};
