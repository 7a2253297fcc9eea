import { sendJson } from '@gatehouse/service-kit/http';
import { allowedOn } from '../../domain/permissions.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { readGlobalList } from '../global-list.ts';
import { globalSummary } from '../global-scope.ts';
import { wireAuthToken } from '../wire/auth-token.ts';
import { tokenActions } from './own.ts';

/** GET /v1/auth-tokens: one's own tokens, or with the right role everyone's; newest first. */
export const listAuthTokens: Operation = async (context, req, res) => {
  const caller = requireIn(context, req, 'auth-token', 'list');
  const answer = await readGlobalList(context, req);
  const mayReadAny = allowedOn('auth-token', caller.role).includes('read');
  const tokens = context.tokens.list(mayReadAny ? undefined : caller.account.id);
  const scope = globalSummary(context);
  sendJson(
    res,
    200,
    await answer(tokens, (token) => wireAuthToken(token, scope, tokenActions(caller, token))),
  );
};
