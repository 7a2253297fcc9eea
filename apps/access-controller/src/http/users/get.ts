import { sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { pathId } from '../path-id.ts';
import { wireUser } from '../wire/user.ts';
import { userActions } from './actions.ts';

/** GET /v1/users/{id} */
export const getUser: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'user', 'read');
  const id = pathId(req, 'u');
  const account = context.accounts.get(id);
  if (account === undefined) throw notFound();
  sendJson(res, 200, wireUser(account, globalSummary(context), userActions(account, role)));
};
