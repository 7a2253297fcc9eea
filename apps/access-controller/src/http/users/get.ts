import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { pathId } from '../path-id.ts';
import { wireUser } from '../wire/user.ts';
import { userActions } from './actions.ts';

/** GET /v1/users/{id} */
export const getUser: Operation = (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = pathId(req, 'u');
  requireOn('user', role, 'read');
  const account = context.accounts.get(id);
  if (account === undefined) throw notFound();
  sendJson(res, 200, wireUser(account, globalSummary(context), userActions(account, role)));
};
