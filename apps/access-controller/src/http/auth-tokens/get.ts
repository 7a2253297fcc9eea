import { sendJson } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { wireAuthToken } from '../wire/auth-token.ts';
import { requestedToken, tokenActions } from './own.ts';

/** GET /v1/auth-tokens/{id} */
export const getAuthToken: Operation = (context, req, res) => {
  const { caller, token } = requestedToken(context, req, 'read');
  sendJson(res, 200, wireAuthToken(token, globalSummary(context), tokenActions(caller, token)));
};
