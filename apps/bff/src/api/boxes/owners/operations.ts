import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { getOwner } from './get-owner.ts';

export const ownerOperations = resource(inBoxes, {
  'boxOwners.get': getOwner,
});
