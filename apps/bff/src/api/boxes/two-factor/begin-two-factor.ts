import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { guessed } from '#shared/boxes/guessed.ts';
import { setUpTwoFactor } from '#upstreams/box-registry/management.ts';

export const beginTwoFactor: Operation<'boxTwoFactor.begin'> = audited(
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
