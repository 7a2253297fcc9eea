import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { deleteRecord } from '#shared/boxes/records.ts';
import { createBox } from './create-box.ts';
import { getBox } from './get-box.ts';
import { searchBoxes } from './search-boxes.ts';
import { updateBox } from './update-box.ts';

export const boxOperations = resource(inBoxes, {
  searchBoxes,
  getBox,
  createBox,
  updateBox,
  deleteBox: deleteRecord(boxes),
});
