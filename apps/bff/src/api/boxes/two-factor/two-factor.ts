import { checkAttempt } from '#api/console/check-attempt.ts';
import { cannotTell, notReceived, ifOwn } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import {
  removeTwoFactorOf,
  confirmTwoFactor,
  turnOffTwoFactor,
  setUpTwoFactor,
  readTwoFactor,
} from '#upstreams/box-registry/management.ts';
import { requestCode } from '#upstreams/box-registry/sign-in.ts';
import { isAnswer } from '#upstreams/service-error.ts';
import { askedBy } from '#upstreams/transport.ts';
import { inBoxes, boxesCaller } from '../caller.ts';

const beginTwoFactor: Operation<'boxTwoFactor.begin'> = audited(
  { became: notReceived },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    return guessed(
      context,
      caller,
      call.caller.address,
      'The password is wrong, or a second factor is already set up.',
      () => setUpTwoFactor(caller, call.body),
    );
  },
);

const disableTwoFactor: Operation<'boxTwoFactor.disable'> = audited(
  { became: hasTwoFactor(false) },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    await guessed(context, caller, call.caller.address, 'The password or the code is wrong.', () =>
      turnOffTwoFactor(caller, call.body),
    );
  },
);

const enableTwoFactor: Operation<'boxTwoFactor.enable'> = audited(
  { became: hasTwoFactor(true) },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    await guessed(context, caller, call.caller.address, 'This code is wrong. Wait for the next one.', () =>
      confirmTwoFactor(caller, call.body.code),
    );
  },
);

const place = (environment: string) => ({ environment, service: 'boxes' }) as const;

const requestTwoFactorCode: Operation<'boxTwoFactor.requestCode'> = audited(
  {
    address: ({ body }) => ({ environment: body.environment }),
    became: notReceived,
    precondition: (context, { body, caller }) =>
      checkAttempt(
        context,
        { ...place(body.environment), credentials: { method: 'password', ...body } },
        caller.address,
      ),
  },
  async (context, { body, caller }) => {
    const { environment, login_name: login, password, delivery_method } = body;
    const registry = askedBy(caller, context.directory.boxes(environment));
    const destination = await limited(
      context.limits,
      place(environment),
      { method: 'password', login_name: login, password },
      caller.address,
      () => requestCode(registry, { login, password }, delivery_method),
    );
    return { destination };
  },
);

const resetTwoFactor: Operation<'boxTwoFactor.reset'> = audited(
  { address: ({ params }) => ({ id: params.username }), became: cannotTell },
  async (context, call) => {
    await removeTwoFactorOf(await boxesCaller(context, call), call.params.username);
  },
);

export const twoFactorOperations = resource(inBoxes, {
  'boxTwoFactor.requestCode': requestTwoFactorCode,
  'boxTwoFactor.begin': beginTwoFactor,
  'boxTwoFactor.enable': enableTwoFactor,
  'boxTwoFactor.disable': disableTwoFactor,
  'boxTwoFactor.reset': resetTwoFactor,
});

/** Whether the second factor is on or off, as requested. */
function hasTwoFactor(wanted: boolean): WhatBecame {
  return async (context, call, intent) => {
    const state = await readTwoFactor(await boxesCaller(context, call));
    if (state === null) return { outcome: 'unknown' };
    return ifOwn(intent, call, state.enabled === wanted ? 'succeeded' : 'failed');
  };
}

/** Limits attempts like sign-ins, because passwords and codes can be guessed here too. */
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
