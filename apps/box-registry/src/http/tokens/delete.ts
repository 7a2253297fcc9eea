import { sendEmpty } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { segment } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';

/** DELETE /api/v1/tokens/:hash: voids one of the caller's tokens. */
export const deleteTokenByHash: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  if (!(await context.tokens.remove(account.id, { hash: segment(req, 'hash') }))) throw notFound();
  sendEmpty(res);
};
