import { ProblemError } from '#ground/problem.ts';
/** The second factor of sign-ins to the registry: set up, confirmed, removed. */
import type { Context } from '#operation/context.ts';
import type { Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import {
  confirmTwoFactor,
  removeTwoFactorOf,
  setUpTwoFactor,
  turnOffTwoFactor,
} from '#upstreams/box-registry/management.ts';
import { isAnswer } from '#upstreams/service-error.ts';

export const beginTwoFactor: Operation<'beginTwoFactor'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  return guessed(
    context,
    caller,
    call.caller.address,
    'The password is wrong, or there is a second factor already.',
    () => setUpTwoFactor(caller, call.body),
  );
};

export const enableTwoFactor: Operation<'enableTwoFactor'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  await guessed(context, caller, call.caller.address, 'This code is not right: wait for the next one.', () =>
    confirmTwoFactor(caller, call.body.code),
  );
};

export const disableTwoFactor: Operation<'disableTwoFactor'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  await guessed(context, caller, call.caller.address, 'The password or the code is wrong.', () =>
    turnOffTwoFactor(caller, call.body),
  );
};

export const resetTwoFactor: Operation<'resetTwoFactor'> = async (context, call) => {
  await removeTwoFactorOf(await boxesCaller(context, call), call.params.username);
};

/** Passwords and codes can be guessed here as well as at a sign-in: attempts are slowed down alike. */
async function guessed<Result>(
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
