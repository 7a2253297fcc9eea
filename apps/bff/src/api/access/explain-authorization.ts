import { outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { isAnswer, type AccessCaller } from '#upstreams/access-controller/client.ts';
import { failedSourceProblem } from './failed-source.ts';
import { whatFailed } from './stored-record.ts';

/** Authorizes, and says what a failure of it means. @param found whether the target is known to be there */
export async function explained<Result>(
  caller: AccessCaller,
  id: string,
  found: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const { environment, service } = caller.transport;
  try {
    return await work();
  } catch (error) {
    const failed = error instanceof ProblemError ? error.init.failedSource : undefined;
    if (failed !== undefined) throw await failedSourceProblem(caller, failed, error);
    if (found && isAnswer(error, 404)) {
      throw new ProblemError(
        'invalid-request',
        'The target has neither an address nor a host in its host sets, so there is nothing to connect to. Add one first.',
        { service, environment, cause: error },
      );
    }
    // A session may have been authorized; the credentials that came with it are lost, and it ends by itself.
    if (whatFailed(error) === 'unknown')
      throw outcomeUnknown({ resource: { environment, service, kind: 'target', id } }, error);
    throw error;
  }
}
