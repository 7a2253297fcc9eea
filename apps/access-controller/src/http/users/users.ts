import { checkPassword } from '@gatehouse/service-kit/account';
import { firstAccountId, type Account, type Role } from '@gatehouse/service-kit/accounts';
import { sendJson, sendEmpty } from '@gatehouse/service-kit/http';
import { passwordAccountId } from '../../domain/auth-token.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults, notFound, Refusal, emptyMask } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { changingAccounts, noteAccountFault } from '../account-fault.ts';
import { accountPages } from '../account-pages.ts';
import { MemberReader, readObject, isEmptyChange } from '../body.ts';
import { requireIn, requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { readGlobalPlace } from '../global-list.ts';
import { globalSummary } from '../global-scope.ts';
import { answerPage, readPageRequest, type AskedListing } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import type { WireScopeSummary } from '../wire/scope.ts';
import { wireTime } from '../wire/time.ts';
import { readUserChange } from '../wire/user-change.ts';

/** A role's actions on a user. The first account can't be deleted, since the next start would create it again. */
export function userActions(account: Account, role: Role | null): readonly string[] {
  const actions = allowedOn('user', role);
  return account.id === firstAccountId ? actions.filter((action) => action !== 'delete') : actions;
}

/** POST /v1/users: creates a user, with a password and roles in the services that share the accounts. */
export const createUser: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'user', 'create');
  const body = readObject(req);
  const faults = new FieldFaults();
  const members = new MemberReader(body, faults);
  const scopeId = members.string('scope_id') ?? globalScopeId;
  if (scopeId !== globalScopeId) faults.add('scope_id', "Users belong to the scope 'global'.");
  const { loginName = '', disabled, roles, ...profile } = readUserChange(body, faults);
  if (loginName === '') faults.add('login_name', 'This is a required field.');
  if (disabled === true) faults.add('disabled', 'New users are always enabled.');
  const password = members.string('password') ?? '';
  if (password === '') faults.add('password', 'This is a required field.');
  else noteAccountFault('password', faults, () => checkPassword(password));
  faults.refuseAny();

  const account = await changingAccounts({ what: 'User', passwordField: 'password' }, () =>
    context.accounts.create({ ...profile, loginName, password, roles: roles ?? {} }),
  );
  sendJson(res, 200, wireUser(account, globalSummary(context), userActions(account, role)));
};

/** DELETE /v1/users/{id}: deletes the user in all services that share the accounts. */
export const deleteUser: Operation = async (context, req, res) => {
  requireOn(context, req, 'user', 'delete');
  const id = pathId(req, 'u');
  await changingAccounts({ what: `User "${id}"`, passwordField: 'password' }, () =>
    context.accounts.remove(id),
  );
  sendEmpty(res);
};

/** GET /v1/users/{id} */
export const getUser: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'user', 'read');
  const id = pathId(req, 'u');
  const account = context.accounts.get(id);
  if (account === undefined) throw notFound();
  sendJson(res, 200, wireUser(account, globalSummary(context), userActions(account, role)));
};

/** GET /v1/users: a page, newest first, of the users of the embedded services. */
export const listUsers: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'user', 'list');
  const faults = new FieldFaults();
  const place = readGlobalPlace(context, req, faults);
  const request = await readPageRequest(context, req, faults);
  faults.refuseAny();

  const scope = globalSummary(context);
  const asked: AskedListing<Account> = {
    listing: accountPages(context.accounts),
    within: place.within(),
    of: ['user', ...place.of],
    toWire: (account) => wireUser(account, scope, userActions(account, role)),
  };
  sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
};

/** PATCH /v1/users/{id}: sets the fields in the body, if its `version` is the current one. */
export const updateUser: Operation = async (context, req, res) => {
  const { role } = requireOn(context, req, 'user', 'update');
  const id = pathId(req, 'u');
  const body = readObject(req);
  const faults = new FieldFaults();
  const version = new MemberReader(body, faults).version();
  const change = readUserChange(body, faults);
  faults.refuseAny();
  if (isEmptyChange(change)) throw emptyMask();

  const what = `User "${id}"`;
  if (context.accounts.get(id) === undefined) {
    throw new Refusal('not found or stale', `${what} not found or incorrect version provided.`);
  }
  const account = await changingAccounts({ what, passwordField: 'password' }, () =>
    context.accounts.update(id, version ?? 0, change),
  );
  sendJson(res, 200, wireUser(account, globalSummary(context), userActions(account, role)));
};

/** @param scope the global scope, which contains all users */
function wireUser(
  account: Account,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  const accountId = passwordAccountId(account.id);
  return {
    id: account.id,
    scope_id: scope.id,
    scope,
    name: account.loginName,
    description: '',
    created_time: wireTime(account.createdTime),
    updated_time: wireTime(account.updatedTime),
    version: account.version,
    account_ids: [accountId],
    accounts: [{ id: accountId, scope_id: scope.id }],
    login_name: account.loginName,
    full_name: account.fullName,
    email: account.email,
    primary_account_id: accountId,
    role: account.roles.access ?? '',
    roles: account.roles,
    disabled: account.disabled,
    authorized_actions: actions,
  };
}
