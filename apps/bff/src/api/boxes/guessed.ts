import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { limited } from '#session/limited-sign-in.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { isAnswer } from '#upstreams/service-error.ts';

/** Passwords and codes can be guessed here as well as at a sign-in: attempts are slowed down alike. */
export async function guessed<Result>(
  context: Context,
  caller: BoxesCaller,
  address: string,
  wrong: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { environment, service } = caller.transport;
  const credentials = { method: 'password', login_name: caller.username, password: '' } as const;
  return limited(context.limits, { environment, service }, credentials, address, async () => {
    try {
      return await attempt();
    } catch (error) {
      if (!isAnswer(error, 401, 406, 422) && !(isAnswer(error, 403) && error.code === 'forbidden'))
        throw error;
      throw new ProblemError('sign-in-failed', wrong, { environment, service });
    }
  });
}
