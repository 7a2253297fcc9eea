import { sendEmpty } from '@gatehouse/service-kit/http';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';

/** DELETE /api/v1/authenticate: voids the token that is presented. */
export const deleteToken: Operation = async (context, req, res) => {
  const { account, token } = requireCaller(context, req);
  await context.tokens.remove(account.id, token);
  sendEmpty(res);
};
