import { sendJson } from '@gatehouse/service-kit/http';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { wireTime } from '../wire/time.ts';

/** GET /api/v1/authenticate: whose token this is. A name can be given out again: the id and the time tell the account. */
export const validateToken: Operation = (context, req, res) => {
  const { account } = requireCaller(context, req);
  const { loginName: username, id, createdTime } = account;
  sendJson(res, 200, { user: { username, id, created_at: wireTime(createdTime) } });
};
