import type { Account, Role } from '@gatehouse/service-kit/accounts';
import type { Request } from 'express';
import type { AuthToken } from '../domain/auth-token.ts';
import { isAlive, isUseWorthRecording } from '../domain/auth-token.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/** Who sent a request. */
export interface Caller {
  readonly account: Account;
  /** The person's role in this service, as of now. */
  readonly role: Role | null;
  readonly token: AuthToken;
}

/** The person whose token a request bears. @throws Refusal `unauthenticated` */
export function requireCaller(context: Context, req: Request): Caller {
  const caller = findCaller(context, req);
  if (caller === undefined) throw new Refusal('unauthenticated', 'Unauthenticated, or invalid token.');
  return caller;
}

/** The person whose token a request bears; undefined for none, or one that is void. */
export function findCaller(context: Context, req: Request): Caller | undefined {
  const presented = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  const token = presented === undefined ? undefined : context.tokens.find(presented);
  if (token === undefined) return undefined;
  const now = context.clock.now();
  if (!isAlive(token, context.lifetimes, now)) return undefined;
  const account = context.accounts.get(token.userId);
  if (account === undefined || account.disabled || account.passwordVersion !== token.passwordVersion)
    return undefined;
  if (isUseWorthRecording(token, context.lifetimes, now)) {
    // The request does not wait for it, nor fail with it: at worst the token becomes stale a little early.
    context.tokens.recordUse(token.id, now).catch(() => undefined);
  }
  return { account, role: account.roles.access, token };
}
