import { sendEmpty } from '@gatehouse/service-kit/http';
import { changingAccounts } from '../account-fault.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';

/** DELETE /v1/users/{id}: the person, in all services that share the accounts. */
export const deleteUser: Operation = async (context, req, res) => {
  requireOn(context, req, 'user', 'delete');
  const id = pathId(req, 'u');
  await changingAccounts({ what: `User "${id}"`, passwordField: 'password' }, () =>
    context.accounts.remove(id),
  );
  sendEmpty(res);
};
