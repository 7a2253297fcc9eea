import { sendJson } from '@gatehouse/service-kit/http';
import { Faults, unprocessable } from '../../domain/refusal.ts';
import { checkCredentials } from '../authenticate/credentials.ts';
import { FieldReader, innerObject, readObject } from '../body.ts';
import type { Operation } from '../context.ts';

/** POST /api/v1/two-factor/request-code: sends a code to the phone of somebody with the right password. */
export const requestCode: Operation = async (context, req, res) => {
  const faults = new Faults();
  const fields = new FieldReader(innerObject(readObject(req), 'two_factor'), faults);
  const method = fields.text('delivery_method', 20) ?? 'sms';
  faults.refuseAny();
  if (method !== 'sms') throw unprocessable('Delivery method must be sms');
  const account = await checkCredentials(context, req);
  const { destination } = await context.twoFactor.sendCode(account);
  sendJson(res, 201, { two_factor: { obfuscated_destination: destination } });
};
