import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { getBoxAccount } from './get-box-account.ts';

export const accountOperations = resource(inBoxes, {
  'boxAccount.get': getBoxAccount,
});
