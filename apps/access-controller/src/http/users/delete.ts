import { sendEmpty } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { changingAccounts } from '../account-fault.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';

/** DELETE /v1/users/{id}: the person, in all services that share the accounts. */
export const deleteUser: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = pathId(req, 'u');
  requireOn('user', role, 'delete');
  await changingAccounts({ what: `User "${id}"`, passwordField: 'password' }, () =>
    context.accounts.remove(id),
  );
  sendEmpty(res);
};
