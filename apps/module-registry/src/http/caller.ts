import { callerOfToken } from '@gatehouse/service-kit/account-tokens';
import type { Token, TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { addressKey } from '@gatehouse/service-kit/rate-limit';
import { askerOf as askerAt, type Asker } from '@gatehouse/service-kit/slices';
import { requireInWrites } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/**
 * The user with the request's token. The token and the role are judged again in the transactions of the request's
 * writes.
 * @param need the action that the role must allow: operators publish, administrators do everything
 * @throws Refusal `unauthenticated`, `forbidden`
 */
export function requireCaller(
  context: Context,
  req: Request,
  need: 'sign in' | 'publish' | 'administer' = 'sign in',
): TokenCaller {
  if (findCaller(context, req) === undefined)
    throw new Refusal('unauthenticated', 'Authentication is required: present a token');
  return requireInWrites(() => judgeCaller(context, req, need));
}

/** The user with the request's token, who may do this at present. @throws Refusal `unauthenticated`, `forbidden` */
export function judgeCaller(
  context: Context,
  req: Request,
  need: 'sign in' | 'publish' | 'administer',
): TokenCaller {
  const caller = presentCaller(context, req);
  if (need === 'publish' && caller.role === 'read-only')
    throw new Refusal('forbidden', 'Your role in this registry is read-only');
  if (need === 'administer' && caller.role !== 'administrator')
    throw new Refusal('forbidden', 'Only administrators of this registry may do that');
  return caller;
}

/** The user with the request's token; undefined without a token. @throws Refusal `unauthenticated` for a void token */
export function findCaller(context: Context, req: Request): TokenCaller | undefined {
  if (presentedToken(req) === undefined) return undefined;
  const caller = presentCaller(context, req);
  context.tokens.noteUse(caller.token, context.clock.now());
  return caller;
}

function presentCaller(context: Context, req: Request): TokenCaller {
  const caller = holderOf(context, req);
  if (caller === undefined) throw new Refusal('unauthenticated', 'The token is not valid');
  return caller;
}

/** The client that the work of a request counts for. */
export function askerOf(context: Context, req: Request): Asker {
  const caller = holderOf(context, req);
  return askerAt(caller?.account.id, addressKey(req) ?? '', 'modules', req);
}

/** The user with the request's valid token, without recording a use of the token; undefined without one. */
export function holderOf(context: Context, req: Request): TokenCaller | undefined {
  const presented = presentedToken(req);
  return presented === undefined ? undefined : callerOf(context, context.tokens.find(presented));
}

/** The user with a token; undefined if it is void. */
export function callerOf(
  { accounts }: Pick<Context, 'accounts'>,
  token: Token | undefined,
): TokenCaller | undefined {
  return callerOfToken(accounts, 'modules', token);
}

/** The bearer token of a request. */
export function presentedToken(req: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
}
