import { maxTokenDescription } from '@gatehouse/service-kit/account-tokens';
import { sendJson } from '@gatehouse/service-kit/http';
import { Faults } from '../../domain/refusal.ts';
import { FieldReader, innerObject, readObject } from '../body.ts';
import type { Operation } from '../context.ts';
import { wireTime } from '../wire/time.ts';
import { checkCredentials, codeOf } from './credentials.ts';

/** POST /api/v1/authenticate: a token for a login and a password, and a code for who has a second factor. */
export const createToken: Operation = async (context, req, res) => {
  const faults = new Faults();
  const fields = new FieldReader(innerObject(readObject(req), 'token'), faults);
  const description = fields.text('description', maxTokenDescription) ?? '';
  faults.refuseAny();
  const code = codeOf(req);
  const account = await checkCredentials(context, req);
  await context.twoFactor.check(account, code);
  const { record, token } = await context.tokens.issue({
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    description,
    createdTime: context.clock.now(),
  });
  sendJson(res, 200, {
    description: record.description,
    token,
    token_hash: record.hash,
    created_at: wireTime(record.createdTime),
  });
};
