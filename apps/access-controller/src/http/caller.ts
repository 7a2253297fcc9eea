import type { Account, Role } from '@gatehouse/service-kit/accounts';
import { addressKey } from '@gatehouse/service-kit/rate-limit';
import { askerOf as askerAt, type Asker } from '@gatehouse/service-kit/slices';
import { requireInWrites, withoutConditions } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import type { AuthToken } from '../domain/auth-token.ts';
import { isAlive, isUseWorthRecording } from '../domain/auth-token.ts';
import { allowedIn, allowedOn, forbidden } from '../domain/permissions.ts';
import type { ResourceType } from '../domain/permissions.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/** The sender of a request. */
export interface Caller {
  readonly account: Account;
  /** The user's present role in this service. */
  readonly role: Role | null;
  readonly token: AuthToken;
}

/**
 * Judges the user with the request's token: now, and again after each pause of a long list and in the transactions of
 * the request's writes, because the user may lose the token or the right meanwhile. Operations call this, or `requireOn`
 * or `requireIn`, before they read the rest of the request: without the right, the answer doesn't depend on the
 * request's content.
 * @param judge throws if the caller may not do this
 * @returns the present judgment
 * @throws Refusal `unauthenticated`, and the errors of `judge`
 */
export function requireCaller<Judgment>(
  context: Context,
  req: Request,
  judge: (caller: Caller) => Judgment,
): Judgment {
  findCaller(context, req);
  return requireInWrites(() => {
    const caller = validCaller(context, req);
    if (caller === undefined) throw new Refusal('unauthenticated', 'Unauthenticated, or invalid token.');
    return judge(caller);
  });
}

/** The caller, if their role allows `action` on one resource. @throws Refusal `unauthenticated`, `forbidden` */
export function requireOn(context: Context, req: Request, type: ResourceType, action: string): Caller {
  return requireCaller(context, req, (caller) => {
    if (!allowedOn(type, caller.role).includes(action)) throw forbidden();
    return caller;
  });
}

/**
 * The caller, if their role allows `action` on the collection. A list of everybody's resources ends when the caller may
 * only read their own.
 * @throws Refusal `unauthenticated`, `forbidden`
 */
export function requireIn(context: Context, req: Request, type: ResourceType, action: string): Caller {
  let readsAll = false;
  return requireCaller(context, req, (caller) => {
    const mayReadAll = allowedOn(type, caller.role).includes('read');
    if (!allowedIn(type, caller.role).includes(action) || (readsAll && !mayReadAll)) throw forbidden();
    readsAll = mayReadAll;
    return caller;
  });
}

/**
 * The client that work for a request counts for: the user with a valid token, whose use isn't recorded, or else the
 * address.
 */
export function askerOf(context: Context, req: Request): Asker {
  const caller = validCaller(context, req);
  return askerAt(caller?.account.id, addressKey(req) ?? '', 'access', req);
}

/** The user with the request's token, whose use is recorded; undefined without a token or if it is void. */
export function findCaller(context: Context, req: Request): Caller | undefined {
  const caller = validCaller(context, req);
  if (caller === undefined) return undefined;
  const now = context.clock.now();
  if (isUseWorthRecording(caller.token, context.lifetimes, now)) {
    // The request neither waits for this nor fails with it: at worst the token becomes stale a little early.
    withoutConditions(() => context.tokens.recordUse(caller.token.id, now)).catch(() => undefined);
  }
  return caller;
}

function validCaller(context: Context, req: Request): Caller | undefined {
  const presented = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  const token = presented === undefined ? undefined : context.tokens.find(presented);
  if (token === undefined) return undefined;
  if (!isAlive(token, context.lifetimes, context.clock.now())) return undefined;
  const account = context.accounts.get(token.userId);
  if (account === undefined || account.disabled || account.passwordVersion !== token.passwordVersion)
    return undefined;
  return { account, role: account.roles.access, token };
}
