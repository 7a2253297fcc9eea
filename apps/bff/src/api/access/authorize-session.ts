import { outcomeUnknown } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import { isAnswer, type AccessCaller } from '../../upstreams/access-controller/client.ts';
import { authorize } from '../../upstreams/access-controller/sessions.ts';
import { targets } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { whatFailed } from './stored-record.ts';

export const authorizeSession: Operation<'authorizeSession'> = async (context, call) => {
  const { id } = call.params;
  const caller = await accessCaller(context, call);
  // By its name the target is told in the audit trail; and a target that is there has another reason for a 404.
  const target = await targets.get(caller, id);
  call.note.saw({ id, name: target.name });
  return explained(caller, id, true, () => authorize(caller, id, { host_id: call.body.host_id }));
};

export const authorizeSessionByName: Operation<'authorizeSessionByName'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const { name } = call.body;
  const authorized = await explained(caller, '', false, () => authorize(caller, name, call.body));
  call.note.saw({ id: authorized.target_id, name });
  return authorized;
};

/** Says what a failure means. @param found whether the target is known to be there */
async function explained<Result>(
  { transport: { environment, service } }: AccessCaller,
  id: string,
  found: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (found && isAnswer(error, 404)) {
      throw new ProblemError(
        'invalid-request',
        'The target has neither an address nor a host in its host sets, so that there is nothing to connect to. Give it one first.',
        { service, environment, cause: error },
      );
    }
    // A session may have been authorized; the credentials that came with it are lost, and it ends by itself.
    if (whatFailed(error) === 'unknown')
      throw outcomeUnknown({ resource: { environment, service, kind: 'target', id } }, error);
    throw error;
  }
}
