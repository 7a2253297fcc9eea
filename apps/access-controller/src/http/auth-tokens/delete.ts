import { sendEmpty } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { requestedToken } from './own.ts';

/** DELETE /v1/auth-tokens/{id}: signs out. */
export const deleteAuthToken: Operation = async (context, req, res) => {
  const { token } = requestedToken(context, req, 'delete');
  await context.tokens.remove(token.id);
  sendEmpty(res);
};
