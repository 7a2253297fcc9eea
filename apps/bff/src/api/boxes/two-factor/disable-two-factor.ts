import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { guessed } from '#shared/boxes/guessed.ts';
import { hasTwoFactor } from '#shared/boxes/two-factor-state.ts';
import { turnOffTwoFactor } from '#upstreams/box-registry/management.ts';

export const disableTwoFactor: Operation<'boxTwoFactor.disable'> = audited(
  { became: hasTwoFactor(false) },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    await guessed(context, caller, call.caller.address, 'The password or the code is wrong.', () =>
      turnOffTwoFactor(caller, call.body),
    );
  },
);
