import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { deleteRecord } from '#shared/boxes/records.ts';
import { createBox } from './create-box.ts';
import { getBox } from './get-box.ts';
import { searchBoxes } from './search-boxes.ts';
import { updateBox } from './update-box.ts';

export const boxOperations = resource(inBoxes, {
  'boxes.search': searchBoxes,
  'boxes.get': getBox,
  'boxes.create': createBox,
  'boxes.update': updateBox,
  'boxes.delete': deleteRecord(boxes),
});
