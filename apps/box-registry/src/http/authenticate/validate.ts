import { sendJson } from '@gatehouse/service-kit/http';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';

/** GET /api/v1/authenticate: whose token this is. */
export const validateToken: Operation = (context, req, res) => {
  const { account } = requireCaller(context, req);
  sendJson(res, 200, { user: { username: account.loginName } });
};
