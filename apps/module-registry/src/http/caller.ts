import { callerOfToken } from '@gatehouse/service-kit/account-tokens';
import type { Token, TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { addressKey } from '@gatehouse/service-kit/rate-limit';
import type { Asker } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/**
 * The person whose token a request bears.
 * @param need what the person's role must allow: operators publish, administrators do all
 * @throws Refusal `unauthenticated`, `forbidden`
 */
export function requireCaller(
  context: Context,
  req: Request,
  need: 'sign in' | 'publish' | 'administer' = 'sign in',
): TokenCaller {
  const caller = findCaller(context, req);
  if (caller === undefined)
    throw new Refusal('unauthenticated', 'Authentication is required: present a token');
  if (need === 'publish' && caller.role === 'read-only')
    throw new Refusal('forbidden', 'Your role in this registry is read-only');
  if (need === 'administer' && caller.role !== 'administrator')
    throw new Refusal('forbidden', 'Only administrators of this registry may do that');
  return caller;
}

/** The person whose token a request bears; undefined for none. @throws Refusal `unauthenticated` for a void one */
export function findCaller(context: Context, req: Request): TokenCaller | undefined {
  const presented = presentedToken(req);
  if (presented === undefined) return undefined;
  const caller = callerOf(context, context.tokens.find(presented));
  if (caller === undefined) throw new Refusal('unauthenticated', 'The token is not valid');
  context.tokens.noteUse(caller.token, context.clock.now());
  return caller;
}

/** Whom a request's work is done for. */
export function askerOf(context: Context, req: Request): Asker {
  const caller = holderOf(context, req);
  return { name: caller?.account.id ?? addressKey(req) ?? '', isKnown: caller !== undefined };
}

/** Whether a request bears a valid token. */
export function isKnown(context: Context, req: Request): boolean {
  return holderOf(context, req) !== undefined;
}

/** The person whose valid token a request bears, without counting as a use of it; undefined for none. */
export function holderOf(context: Context, req: Request): TokenCaller | undefined {
  const presented = presentedToken(req);
  return presented === undefined ? undefined : callerOf(context, context.tokens.find(presented));
}

/** The person whose token this is; undefined when it is void. */
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
