import type { Account } from '@gatehouse/service-kit/accounts';
import type { Request } from 'express';
import { userOfPasswordAccount } from '../../domain/auth-token.ts';
import { allowedOn, forbidden } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pathId } from '../path-id.ts';

/** What a caller may do with an account: everyone may change their own password, whatever their role. */
export function accountActions(caller: Caller, account: Account): readonly string[] {
  const byRole = allowedOn('account', caller.role);
  return account.id === caller.account.id ? [...byRole, 'change-password'] : byRole;
}

/**
 * The account that a request is about.
 * @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found`
 */
export function requestedAccount(
  context: Context,
  req: Request,
  action: 'read' | 'set-password' | 'change-password',
): { readonly caller: Caller; readonly account: Account } {
  const caller = requireCaller(context, req);
  const account = context.accounts.get(userOfPasswordAccount(pathId(req, 'acctpw')));
  const actions = account === undefined ? allowedOn('account', caller.role) : accountActions(caller, account);
  if (!actions.includes(action)) throw forbidden();
  if (account === undefined) throw notFound();
  return { caller, account };
}
