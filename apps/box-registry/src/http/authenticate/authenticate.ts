import { maxTokenDescription } from '@gatehouse/service-kit/account-tokens';
import type { Account } from '@gatehouse/service-kit/accounts';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendJson, sendEmpty } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import { Faults, Refusal, forbidden, unprocessable } from '../../domain/refusal.ts';
import { FieldReader, innerObject, readObject } from '../body.ts';
import { requireCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { wireTime } from '../wire/time.ts';

const maxLogin = 200;
const maxPassword = 1000;

/**
 * The user with the login (a login name, or an e-mail address that only one user has) and password in a request.
 * @throws Refusal `unprocessable` if they are missing, `unauthenticated` if they are wrong, `forbidden` for a user
 * without a role in the registry
 */
export async function checkCredentials(context: Context, req: Request): Promise<Account> {
  const user = innerObject(readObject(req), 'user');
  const faults = new Faults();
  const fields = new FieldReader(user, faults);
  const login = fields.text('login', maxLogin);
  const password = fields.text('password', maxPassword);
  faults.refuseAny();
  if (login === undefined || password === undefined || login === '' || password === '')
    throw unprocessable('user parameter is required! It must contain login and password');
  const account = await context.accounts.verifyPassword(
    loginNameOf(context, login),
    password,
    clientAddress(req),
  );
  if (account === undefined) throw new Refusal('unauthenticated', 'Bad username or password');
  if (account.roles.boxes === null) throw forbidden('You have no role in this registry');
  return account;
}

/** @throws Refusal `unprocessable` if the password isn't the caller's */
export async function checkOwnPassword(context: Context, req: Request, account: Account): Promise<void> {
  const faults = new Faults();
  const password = new FieldReader(innerObject(readObject(req), 'user'), faults).text(
    'password',
    maxPassword,
  );
  faults.refuseAny();
  const checked = await context.accounts.verifyPassword(
    account.loginName,
    password ?? '',
    clientAddress(req),
  );
  if (checked?.id !== account.id) throw unprocessable('The password is incorrect');
}

/** The second factor's code in a request; undefined if it is null. */
export function codeOf(req: Request): string | undefined {
  const faults = new Faults();
  const code = new FieldReader(innerObject(readObject(req), 'two_factor'), faults).text('code', 20);
  faults.refuseAny();
  return code?.replaceAll(/\s/g, '');
}

function loginNameOf(context: Context, login: string): string {
  if (!login.includes('@') || context.accounts.getByLoginName(login) !== undefined) return login;
  return context.accounts.getByEmail(login)?.loginName ?? login;
}

/** POST /api/v1/authenticate: issues a token for a login and a password, and a code if the user has a second factor. */
export const createToken: Operation = async (context, req, res) => {
  const faults = new Faults();
  const fields = new FieldReader(innerObject(readObject(req), 'token'), faults);
  const description = fields.text('description', maxTokenDescription) ?? '';
  faults.refuseAny();
  const code = codeOf(req);
  const account = await checkCredentials(context, req);
  await context.twoFactor.check(account, code, clientAddress(req));
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

/** DELETE /api/v1/authenticate: revokes the request's token. */
export const deleteToken: Operation = async (context, req, res) => {
  const { account, token } = requireCaller(context, req);
  await context.tokens.remove(account.id, token);
  sendEmpty(res);
};

/**
 * GET /api/v1/authenticate: the user of the request's token. Names can be reused, so the ID and the creation time
 * identify the account.
 */
export const validateToken: Operation = (context, req, res) => {
  const { account } = requireCaller(context, req);
  const { loginName: username, id, createdTime } = account;
  sendJson(res, 200, { user: { username, id, created_at: wireTime(createdTime) } });
};
