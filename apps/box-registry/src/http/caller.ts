import { callerOfToken } from '@gatehouse/service-kit/account-tokens';
import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { addressKey } from '@gatehouse/service-kit/rate-limit';
import type { Asker } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/** The person whose token a request bears. @throws Refusal `unauthenticated` */
export function requireCaller(context: Context, req: Request): TokenCaller {
  const caller = findCaller(context, req);
  if (caller === undefined)
    throw new Refusal('unauthenticated', 'Authentication is required: present a token');
  return caller;
}

/** The person whose token a request bears; undefined for none. @throws Refusal `unauthenticated` for a void one */
export function findCaller(context: Context, req: Request): TokenCaller | undefined {
  const presented = presentedToken(req);
  if (presented === undefined) return undefined;
  const caller = callerOf(context, presented);
  if (caller === undefined) throw new Refusal('unauthenticated', 'The token is not valid');
  context.tokens.noteUse(caller.token, context.clock.now());
  return caller;
}

/** Whom a request's work is done for. */
export function askerOf(context: Context, req: Request): Asker {
  const presented = presentedToken(req);
  const caller = presented === undefined ? undefined : callerOf(context, presented);
  return { name: caller?.account.id ?? addressKey(req) ?? '', isKnown: caller !== undefined };
}

/** Whether a request bears a valid token, without counting as a use of it. */
export function isKnown(context: Context, req: Request): boolean {
  const presented = presentedToken(req);
  return presented !== undefined && callerOf(context, presented) !== undefined;
}

/** The person whose token this is; undefined when it is void. */
export function callerOf(
  context: Pick<Context, 'tokens' | 'accounts'>,
  presented: string,
): TokenCaller | undefined {
  return callerOfToken(context.accounts, 'boxes', context.tokens.find(presented));
}

/** The token of a request: a bearer's, the parameter's, or one in the headers of old clients. */
export function presentedToken(req: Request): string | undefined {
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
