import { checkPassword } from '@gatehouse/service-kit/account';
import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults } from '../../domain/refusal.ts';
import { changingAccounts, noteAccountFault } from '../account-fault.ts';
import { MemberReader, readObject } from '../body.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { wireAccount } from '../wire/account.ts';
import { accountActions, requestedAccount } from './own.ts';

/** POST /v1/accounts/{id}:set-password: gives a person another password, which signs them out everywhere. */
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
