import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { guessed } from '#shared/boxes/guessed.ts';
import { hasTwoFactor } from '#shared/boxes/two-factor-state.ts';
import { confirmTwoFactor } from '#upstreams/box-registry/management.ts';

export const enableTwoFactor: Operation<'boxTwoFactor.enable'> = audited(
  { became: hasTwoFactor(true) },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    await guessed(context, caller, call.caller.address, 'This code is wrong. Wait for the next one.', () =>
      confirmTwoFactor(caller, call.body.code),
    );
  },
);
