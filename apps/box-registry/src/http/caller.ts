import { callerOfToken } from '@gatehouse/service-kit/account-tokens';
import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { addressKey } from '@gatehouse/service-kit/rate-limit';
import { askerOf as askerAt, type Asker } from '@gatehouse/service-kit/slices';
import { requireInWrites } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

type Tokens = Pick<Context, 'tokens' | 'accounts'>;

/** The user with the request's token, which its writes require to be still valid. @throws Refusal `unauthenticated` */
export function requireCaller(context: Context, req: Request): TokenCaller {
  return requireRight(context, req, (caller) => caller);
}

/**
 * Requires a right of the user with the request's token, now and again in the transactions of the request's writes.
 * @param judge throws if the user doesn't have it; reads what is stored at the time
 * @returns the present judgment
 * @throws Refusal `unauthenticated`, and what `judge` throws
 */
export function requireRight<Judgment>(
  context: Context,
  req: Request,
  judge: (caller: TokenCaller) => Judgment,
): Judgment {
  callerOf(context, req);
  return requireInWrites(() => judge(presentCaller(context, req)));
}

/** The user with the request's token, of whom a write requires nothing yet. @throws Refusal `unauthenticated` */
export function callerOf(context: Context, req: Request): TokenCaller {
  const caller = findCaller(context, req);
  if (caller !== undefined) return caller;
  throw new Refusal('unauthenticated', 'Authentication is required: present a token');
}

/**
 * The user with the request's token, looked up again: the token may have become void since the request arrived.
 * @returns undefined without a token
 * @throws Refusal `unauthenticated` for a void token
 */
export function findCaller(context: Context, req: Request): TokenCaller | undefined {
  if (presentedToken(req) === undefined) return undefined;
  const caller = presentCaller(context, req);
  context.tokens.noteUse(caller.token, context.clock.now());
  return caller;
}

/** Like `callerOf`, without recording a use of the token, which the request has recorded already. */
export function presentCaller(context: Context, req: Request): TokenCaller {
  const caller = validCaller(context, req);
  if (caller === undefined) throw new Refusal('unauthenticated', 'The token is not valid');
  return caller;
}

/** The client that the work of a request counts for. */
export function askerOf(context: Tokens, req: Request): Asker {
  const sender = senderOf(context, req);
  return askerAt(sender?.account.id, addressKey(req) ?? '', 'boxes', req);
}

const senders = new WeakMap<Request, TokenCaller | undefined>();

/**
 * The user with the request's token, only for limits and turns. Looked up once per request, without recording a use
 * of the token.
 */
export function senderOf(context: Tokens, req: Request): TokenCaller | undefined {
  if (!senders.has(req)) senders.set(req, validCaller(context, req));
  return senders.get(req);
}

function validCaller({ tokens, accounts }: Tokens, req: Request): TokenCaller | undefined {
  const presented = presentedToken(req);
  return presented === undefined ? undefined : callerOfToken(accounts, 'boxes', tokens.find(presented));
}

/** The token of a request: a bearer token, the parameter, or a header of old clients. */
function presentedToken(req: Request): string | undefined {
  const { authorization } = req.headers;
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer !== undefined) return bearer;
  }
  const { access_token: parameter } = req.query;
  if (typeof parameter === 'string' && parameter !== '') return parameter;
  for (const name of ['x-atlas-token', 'x-legacy-token']) {
    const header = req.headers[name];
    if (typeof header === 'string' && header !== '') return header;
  }
  return undefined;
}
