import { checkPassword } from '@gatehouse/service-kit/account';
import type { Account } from '@gatehouse/service-kit/accounts';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { userOfPasswordAccount, passwordMethodId, passwordAccountId } from '../../domain/auth-token.ts';
import { allowedOn, forbidden } from '../../domain/permissions.ts';
import { notFound, FieldFaults, invalidField } from '../../domain/refusal.ts';
import { changingAccounts, noteAccountFault } from '../account-fault.ts';
import { accountPages } from '../account-pages.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireCaller, type Caller, requireIn } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { answerPage, readPageRequest, type AskedListing } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import { QueryReader } from '../query.ts';
import type { WireScopeSummary } from '../wire/scope.ts';
import { wireTime } from '../wire/time.ts';

/** The caller's actions on an account. All users may change their own password, whatever their role. */
export function accountActions(caller: Caller, account: Account): readonly string[] {
  const byRole = allowedOn('account', caller.role);
  return account.id === caller.account.id ? [...byRole, 'change-password'] : byRole;
}

/** @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found` */
export function requestedAccount(
  context: Context,
  req: Request,
  action: 'read' | 'set-password' | 'change-password',
): { readonly caller: Caller; readonly account: Account } {
  return requireCaller(context, req, (caller) => {
    const account = context.accounts.get(userOfPasswordAccount(pathId(req, 'acctpw')));
    const actions =
      account === undefined ? allowedOn('account', caller.role) : accountActions(caller, account);
    if (!actions.includes(action)) throw forbidden();
    if (account === undefined) throw notFound();
    return { caller, account };
  });
}

/** POST /v1/accounts/{id}:change-password: changes the caller's own password, which signs them out everywhere. */
export const changePassword: Operation = async (context, req, res) => {
  const { caller, account } = requestedAccount(context, req, 'change-password');
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const version = members.version();
  const current = members.string('current_password') ?? '';
  const next = members.string('new_password') ?? '';
  if (current === '') faults.add('current_password', 'This is a required field.');
  if (next === '') faults.add('new_password', 'This is a required field.');
  else if (next === current) faults.add('new_password', 'New password equal to current password.');
  else noteAccountFault('new_password', faults, () => checkPassword(next));
  faults.refuseAny();

  const address = clientAddress(req);
  if ((await context.accounts.verifyPassword(account.loginName, current, address)) === undefined) {
    throw invalidField('current_password', "This isn't the current password.");
  }
  const what = `Account "${String(req.params['id'])}"`;
  const changed = await changingAccounts({ what, passwordField: 'new_password' }, () =>
    context.accounts.setPassword(account.id, next, version ?? 0),
  );
  sendJson(res, 200, wireAccount(changed, globalSummary(context), accountActions(caller, changed)));
};

/** GET /v1/accounts/{id} */
export const getAccount: Operation = (context, req, res) => {
  const { caller, account } = requestedAccount(context, req, 'read');
  sendJson(res, 200, wireAccount(account, globalSummary(context), accountActions(caller, account)));
};

/** GET /v1/accounts: a page, newest first, of the accounts of an auth method. */
export const listAccounts: Operation = async (context, req, res) => {
  const caller = requireIn(context, req, 'account', 'list');
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const methodId = query.string('auth_method_id');
  if (!isId(methodId, 'ampw')) {
    faults.add('auth_method_id', 'This field is missing or not a valid identifier.');
  }
  const request = await readPageRequest(context, req, faults);
  faults.refuseAny();
  if (methodId !== passwordMethodId) throw notFound();

  const scope = globalSummary(context);
  const asked: AskedListing<Account> = {
    listing: accountPages(context.accounts),
    within: 'all',
    of: ['account', methodId],
    toWire: (account) => wireAccount(account, scope, accountActions(caller, account)),
  };
  sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
};

/** POST /v1/accounts/{id}:set-password: sets a user's password, which signs them out everywhere. */
export const setPassword: Operation = async (context, req, res) => {
  const { caller, account } = requestedAccount(context, req, 'set-password');
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const version = members.version();
  const password = members.string('password') ?? '';
  if (password === '') faults.add('password', 'This is a required field.');
  else noteAccountFault('password', faults, () => checkPassword(password));
  faults.refuseAny();

  const what = `Account "${String(req.params['id'])}"`;
  const changed = await changingAccounts({ what, passwordField: 'password' }, () =>
    context.accounts.setPassword(account.id, password, version ?? 0),
  );
  sendJson(res, 200, wireAccount(changed, globalSummary(context), accountActions(caller, changed)));
};

/** @param scope the global scope, which contains all accounts */
function wireAccount(
  account: Account,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    id: passwordAccountId(account.id),
    scope,
    name: account.loginName,
    description: '',
    created_time: wireTime(account.createdTime),
    updated_time: wireTime(account.updatedTime),
    version: account.version,
    type: 'password',
    auth_method_id: passwordMethodId,
    user_id: account.id,
    attributes: { login_name: account.loginName },
    authorized_actions: actions,
  };
}
