import { checkPassword } from '@gatehouse/service-kit/account';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults, invalidField } from '../../domain/refusal.ts';
import { changingAccounts, noteAccountFault } from '../account-fault.ts';
import { MemberReader, readObject } from '../body.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { wireAccount } from '../wire/account.ts';
import { accountActions, requestedAccount } from './own.ts';

/** POST /v1/accounts/{id}:change-password: changes one's own password, which signs one out everywhere. */
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
