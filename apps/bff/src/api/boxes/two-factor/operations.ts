import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { beginTwoFactor } from './begin-two-factor.ts';
import { disableTwoFactor } from './disable-two-factor.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import { requestTwoFactorCode } from './request-two-factor-code.ts';
import { resetTwoFactor } from './reset-two-factor.ts';

export const twoFactorOperations = resource(inBoxes, {
  'boxTwoFactor.requestCode': requestTwoFactorCode,
  'boxTwoFactor.begin': beginTwoFactor,
  'boxTwoFactor.enable': enableTwoFactor,
  'boxTwoFactor.disable': disableTwoFactor,
  'boxTwoFactor.reset': resetTwoFactor,
});
