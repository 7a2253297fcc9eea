/** The operations of the box registry. */
import type { Operations } from '../../http/operation.ts';
import { getBoxSettings, updateBoxSettings } from './box-settings.ts';
import { createBoxToken, deleteBoxToken, listBoxTokens, validateBoxToken } from './box-tokens.ts';
import { createBoxProvider } from './create-box-provider.ts';
import { createBoxVersion } from './create-box-version.ts';
import { createBox } from './create-box.ts';
import { getBoxAccount } from './get-box-account.ts';
import { getBox } from './get-box.ts';
import { getOwner } from './get-owner.ts';
import { boxes, providers, versions } from './kinds.ts';
import { releaseBoxVersion, revokeBoxVersion } from './move-box-version.ts';
import * as organizations from './organizations.ts';
import { prepareBoxDownload } from './prepare-box-download.ts';
import { deleteRecord, getRecord, updateRecord } from './records.ts';
import { requestTwoFactorCode } from './request-two-factor-code.ts';
import { searchBoxes } from './search-boxes.ts';
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, resetTwoFactor } from './two-factor.ts';
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
