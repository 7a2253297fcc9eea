import { maxTokenDescription } from '@gatehouse/service-kit/account-tokens';
import type { Token } from '@gatehouse/service-kit/account-tokens';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { Refusal, notFound } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { readObject, segment, textMember } from '../request.ts';
import { wireTime } from '../wire.ts';

const maxUsername = 200;
const maxPassword = 1000;

/** POST /v1/tokens: issues a token for a username and a password. */
export const createToken: Operation = async (context, req, res) => {
  const body = readObject(req);
  const username = textMember(body, 'username', maxUsername);
  const password = textMember(body, 'password', maxPassword);
  const description = textMember(body, 'description', maxTokenDescription).trim();
  if (username === '' || password === '')
    throw new Refusal('malformed', 'username and password must be given');
  const account = await context.accounts.verifyPassword(username, password, clientAddress(req));
  if (account === undefined) throw new Refusal('unauthenticated', 'Bad username or password');
  if (account.roles.modules === null) throw new Refusal('forbidden', 'You have no role in this registry');
  const { record, token } = await context.tokens.issue({
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    description,
    createdTime: context.clock.now(),
  });
  sendJson(res, 201, { ...wireToken(record), token });
};

/** GET /v1/tokens: the records of the caller's tokens, newest first. */
export const listTokens: Operation = (context, req, res) => {
  const { account, token } = requireCaller(context, req);
  sendJson(res, 200, {
    tokens: context.tokens
      .list(account.id)
      // The others are void, since the password has changed.
      .filter((one) => one.passwordVersion === account.passwordVersion)
      .map((one) => ({ ...wireToken(one), current: one.id === token.id })),
  });
};

/** GET /v1/tokens/self: the token's user, and the user's permissions in the registry. */
export const readOwnToken: Operation = (context, req, res) => {
  const { account, role, token } = requireCaller(context, req);
  sendJson(res, 200, {
    ...wireToken(token),
    username: account.loginName,
    account_id: account.id,
    role,
  });
};

/** DELETE /v1/tokens/self: revokes the request's token. */
export const revokeOwnToken: Operation = async (context, req, res) => {
  const { account, token } = requireCaller(context, req);
  await context.tokens.remove(account.id, token);
  sendEmpty(res);
};

/** DELETE /v1/tokens/:id: revokes one of the caller's tokens. */
export const revokeToken: Operation = async (context, req, res) => {
  const { account } = requireCaller(context, req);
  if (!(await context.tokens.remove(account.id, { id: segment(req, 'id') })))
    throw notFound('Token not found');
  sendEmpty(res);
};

function wireToken(token: Token) {
  return {
    id: token.id,
    description: token.description,
    created_at: wireTime(token.createdTime),
    last_used_at: wireTime(token.lastUsedTime),
  };
}
