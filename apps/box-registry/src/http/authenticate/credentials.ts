import type { Account } from '@gatehouse/service-kit/accounts';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import type { Request } from 'express';
import { Faults, Refusal, forbidden, unprocessable } from '../../domain/refusal.ts';
import { FieldReader, innerObject, readObject } from '../body.ts';
import type { Context } from '../context.ts';

const maxLogin = 200;
const maxPassword = 1000;

/**
 * The person whose login (a login name, or an e-mail address that one person has) and password a request carries.
 * @throws Refusal `unprocessable` without them, `unauthenticated` when they are wrong, `forbidden` for somebody without a
 * role here
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

/** @throws Refusal `unprocessable` when the password is not the caller's */
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

/** The code of a second factor that a request carries; a null one is none. */
export function codeOf(req: Request): string | undefined {
  const faults = new Faults();
  const code = new FieldReader(innerObject(readObject(req), 'two_factor'), faults).text('code', 20);
  faults.refuseAny();
  return code?.replaceAll(/\s/g, '');
}

function loginNameOf(context: Context, login: string): string {
  if (!login.includes('@') || context.accounts.getByLoginName(login) !== undefined) return login;
  const address = login.trim().toLowerCase();
  const [one, ...others] = context.accounts
    .list()
    .filter((account) => account.email.toLowerCase() === address);
  return one !== undefined && others.length === 0 ? one.loginName : login;
}
