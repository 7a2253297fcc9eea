import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { Faults, forbidden, notFound, unprocessable } from '../../domain/refusal.ts';
import { segment } from '../access.ts';
import { checkOwnPassword, codeOf, checkCredentials } from '../authenticate/authenticate.ts';
import { FieldReader, innerObject, readObject } from '../body.ts';
import { requireCaller, requireRight } from '../caller.ts';
import type { Context, Operation } from '../context.ts';

/** E.164, which all SMS gateways accept. */
const phoneForm = /^\+[1-9][0-9]{6,14}$/;

export const readTwoFactor: Operation = (context, req, res) => {
  const { account } = requireCaller(context, req);
  sendJson(res, 200, wireTwoFactor(context, account.id));
};

/**
 * POST /api/v1/two-factor: creates a new key for the caller's app. Requires the password; the key takes effect once
 * confirmed.
 */
export const setUpTwoFactor: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  const faults = new Faults();
  const phone = new FieldReader(innerObject(readObject(req), 'two_factor'), faults).text('phone', 20) ?? '';
  if (phone !== '' && !phoneForm.test(phone)) faults.add('Phone must be a number such as +15551234567');
  faults.refuseAny();
  await checkOwnPassword(context, req, account);
  sendJson(res, 200, { two_factor: await context.twoFactor.setUp(account, phone) });
};

/** PUT /api/v1/two-factor: enables the second factor that was set up. Requires one of its codes. */
export const confirmTwoFactor: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  const code = codeOf(req);
  if (code === undefined || code === '')
    throw unprocessable('two_factor parameter is required! It must contain code');
  await context.twoFactor.confirm(account, code, clientAddress(req));
  sendJson(res, 200, wireTwoFactor(context, account.id));
};

/** DELETE /api/v1/two-factor: turns off the caller's second factor. Requires the password and a code. */
export const turnOffTwoFactor: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  const code = codeOf(req);
  await checkOwnPassword(context, req, account);
  await context.twoFactor.check(account, code, clientAddress(req));
  await context.twoFactor.turnOff(account.id);
  sendEmpty(res);
};

/** DELETE /api/v1/two-factor/:username: turns off the lost second factor of another user. Requires an administrator. */
export const resetTwoFactor: Operation = async (context, req, res) => {
  const caller = requireRight(context, req, (one) => {
    if (one.role === 'administrator') return one;
    throw forbidden('You may not turn off the second factor of others');
  });
  const account = context.accounts.getByLoginName(segment(req, 'username'));
  if (account === undefined) throw notFound();
  if (account.id === caller.account.id) {
    throw unprocessable(
      'This is your account: turn off its second factor with your password and a code, or ask another administrator',
    );
  }
  await context.twoFactor.turnOff(account.id);
  sendEmpty(res);
};

function wireTwoFactor(context: Context, accountId: string) {
  const { enabled, deliveryMethods, destination } = context.twoFactor.state(accountId);
  return {
    two_factor: { enabled, delivery_methods: deliveryMethods, obfuscated_destination: destination },
  };
}

/** POST /api/v1/two-factor/request-code: sends a code to the phone of a user with the right password. */
export const requestCode: Operation = async (context, req, res) => {
  const faults = new Faults();
  const fields = new FieldReader(innerObject(readObject(req), 'two_factor'), faults);
  const method = fields.text('delivery_method', 20) ?? 'sms';
  faults.refuseAny();
  if (method !== 'sms') throw unprocessable('Delivery method must be sms');
  const account = await checkCredentials(context, req);
  const { destination } = await context.twoFactor.sendCode(account, clientAddress(req));
  sendJson(res, 201, { two_factor: { obfuscated_destination: destination } });
};
