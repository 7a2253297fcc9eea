import { sendJson } from '@gatehouse/service-kit/http';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { readGlobalList } from '../global-list.ts';
import { globalSummary } from '../global-scope.ts';
import { wireUser } from '../wire/user.ts';
import { userActions } from './actions.ts';

/** GET /v1/users: the people who share the embedded services' accounts, newest first. */
export const listUsers: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'user', 'list');
  const answer = await readGlobalList(context, req);
  const scope = globalSummary(context);
  const users = context.accounts.list().reverse();
  sendJson(res, 200, await answer(users, (account) => wireUser(account, scope, userActions(account, role))));
};
