import { checkPassword } from '@gatehouse/service-kit/account';
import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { changingAccounts, noteAccountFault } from '../account-fault.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { readUserChange } from '../wire/user-change.ts';
import { wireUser } from '../wire/user.ts';
import { userActions } from './actions.ts';

/** POST /v1/users: a person, with a password and roles in the services that share the accounts. */
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
