/** The operations of the box registry. */
import type { Operations } from '#operation/operation.ts';
import { boxes, providers, versions } from '#shared/boxes/kinds.ts';
import { deleteRecord, getRecord, updateRecord } from '#shared/boxes/records.ts';
import { getBoxAccount } from '../account/get-box-account.ts';
import * as organizations from '../organizations/organizations.ts';
import { getOwner } from '../owners/get-owner.ts';
import { createBoxProvider } from '../providers/create-box-provider.ts';
import { prepareBoxDownload } from '../providers/prepare-box-download.ts';
import { getBoxSettings, updateBoxSettings } from '../settings/operations.ts';
import { createBoxToken, deleteBoxToken, listBoxTokens, validateBoxToken } from '../tokens/box-tokens.ts';
import { requestTwoFactorCode } from '../two-factor/request-two-factor-code.ts';
import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  resetTwoFactor,
} from '../two-factor/two-factor.ts';
import { createBoxVersion } from '../versions/create-box-version.ts';
import { releaseBoxVersion, revokeBoxVersion } from '../versions/move-box-version.ts';
import { createBox } from './create-box.ts';
import { getBox } from './get-box.ts';
import { searchBoxes } from './search-boxes.ts';
import { updateBox } from './update-box.ts';

export const boxOperations = {
  searchBoxes,
  getOwner,
  getBox,
  createBox,
  updateBox,
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
  listBoxTokens,
  deleteBoxToken,
  requestTwoFactorCode,
  getBoxAccount,
  beginTwoFactor,
  enableTwoFactor,
  disableTwoFactor,
  resetTwoFactor,
  getBoxSettings,
  updateBoxSettings,
  prepareBoxDownload,
  ...organizations.operations,
} satisfies Partial<Operations>;
