/** The operations of the box registry. */
import type { Operations } from '../../http/operation.ts';
import { createBoxToken, deleteBoxToken, validateBoxToken } from './box-tokens.ts';
import { createBoxProvider } from './create-box-provider.ts';
import { createBoxVersion } from './create-box-version.ts';
import { createBox } from './create-box.ts';
import { getOwner } from './get-owner.ts';
import { boxes, providers, versions } from './kinds.ts';
import { releaseBoxVersion, revokeBoxVersion } from './move-box-version.ts';
import { deleteRecord, getRecord, updateRecord } from './records.ts';
import { requestTwoFactorCode } from './request-two-factor-code.ts';
import { searchBoxes } from './search-boxes.ts';

export const boxOperations = {
  searchBoxes,
  getOwner,
  getBox: getRecord(boxes),
  createBox,
  updateBox: updateRecord(boxes),
  deleteBox: deleteRecord(boxes),
  getBoxVersion: getRecord(versions),
  createBoxVersion,
  updateBoxVersion: updateRecord(versions),
  deleteBoxVersion: deleteRecord(versions),
  releaseBoxVersion,
  revokeBoxVersion,
  getBoxProvider: getRecord(providers),
  createBoxProvider,
  updateBoxProvider: updateRecord(providers),
  deleteBoxProvider: deleteRecord(providers),
  createBoxToken,
  validateBoxToken,
  deleteBoxToken,
  requestTwoFactorCode,
} satisfies Partial<Operations>;
