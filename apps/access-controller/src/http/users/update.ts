import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults, Refusal, emptyMask } from '../../domain/refusal.ts';
import { changingAccounts } from '../account-fault.ts';
import { MemberReader, isEmptyChange, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { pathId } from '../path-id.ts';
import { readUserChange } from '../wire/user-change.ts';
import { wireUser } from '../wire/user.ts';
import { userActions } from './actions.ts';

/** PATCH /v1/users/{id}: sets the fields that the body names, if its `version` is the current one. */
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
