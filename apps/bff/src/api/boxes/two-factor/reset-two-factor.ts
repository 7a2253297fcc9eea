import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { removeTwoFactorOf } from '#upstreams/box-registry/management.ts';

export const resetTwoFactor: Operation<'boxTwoFactor.reset'> = audited(
  { address: ({ params }) => ({ id: params.username }), became: cannotTell },
  async (context, call) => {
    await removeTwoFactorOf(await boxesCaller(context, call), call.params.username);
  },
);
