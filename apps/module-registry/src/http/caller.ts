import type { Account, Role } from '@gatehouse/service-kit/accounts';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { isUseWorthRecording } from '../domain/token.ts';
import type { Token } from '../domain/token.ts';
import type { Context } from './context.ts';

/** Who sent a request. */
export interface Caller {
  readonly account: Account;
  /** The person's role in this service, as of now. */
  readonly role: Role;
  readonly token: Token;
}

/**
 * The person whose token a request bears.
 * @param need what the person's role must allow: operators publish, administrators do all
 * @throws Refusal `unauthenticated`, `forbidden`
 */
export function requireCaller(
  context: Context,
  req: Request,
  need: 'sign in' | 'publish' | 'administer' = 'sign in',
): Caller {
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
export function findCaller(context: Context, req: Request): Caller | undefined {
  const presented = presentedToken(req);
  if (presented === undefined) return undefined;
  const caller = callerOf(context, context.tokens.find(presented));
  if (caller === undefined) throw new Refusal('unauthenticated', 'The token is not valid');
  const now = context.clock.now();
  if (isUseWorthRecording(caller.token, now)) {
    // The request does not wait for it, nor fail with it.
    context.tokens.recordUse(caller.token.id, now).catch(() => undefined);
  }
  return caller;
}

/** The person whose token this is; undefined when it is void. */
export function callerOf(
  { accounts }: Pick<Context, 'accounts'>,
  token: Token | undefined,
): Caller | undefined {
  if (token === undefined) return undefined;
  const account = accounts.get(token.accountId);
  if (account === undefined || account.disabled || account.passwordVersion !== token.passwordVersion)
    return undefined;
  const role = account.roles.modules;
  return role === null ? undefined : { account, role, token };
}

/** The bearer token of a request. */
export function presentedToken(req: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
}
