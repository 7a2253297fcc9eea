import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { segment } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { wireTime } from '../wire/time.ts';

/** DELETE /api/v1/tokens/:hash: revokes one of the caller's tokens. */
export const deleteTokenByHash: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  if (!(await context.tokens.remove(account.id, { hash: segment(req, 'hash') }))) throw notFound();
  sendEmpty(res);
};

/** GET /api/v1/tokens: the records of the caller's tokens, newest first. */
export const listTokens: Operation = (context, req, res) => {
  const { account, token } = requireCaller(context, req);
  sendJson(res, 200, {
    tokens: context.tokens
      .list(account.id)
      // The others are void, since the password has changed.
      .filter((one) => one.passwordVersion === account.passwordVersion)
      .map((one) => ({
        description: one.description,
        token_hash: one.hash,
        created_at: wireTime(one.createdTime),
        last_used_at: wireTime(one.lastUsedTime),
        current: one.id === token.id,
      })),
  });
};
