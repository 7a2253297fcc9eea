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

/** The person whose token a request bears. @throws Refusal `unauthenticated` */
export function requireCaller(context: Context, req: Request): Caller {
  const caller = findCaller(context, req);
  if (caller === undefined)
    throw new Refusal('unauthenticated', 'Authentication is required: present a token');
  return caller;
}

/** The person whose token a request bears; undefined for none. @throws Refusal `unauthenticated` for a void one */
export function findCaller(context: Context, req: Request): Caller | undefined {
  const presented = presentedToken(req);
  if (presented === undefined) return undefined;
  const caller = callerOf(context, presented);
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
  context: Pick<Context, 'tokens' | 'accounts'>,
  presented: string,
): Caller | undefined {
  const token = context.tokens.find(presented);
  if (token === undefined) return undefined;
  const account = context.accounts.get(token.accountId);
  if (account === undefined || account.disabled || account.passwordVersion !== token.passwordVersion)
    return undefined;
  const role = account.roles.boxes;
  return role === null ? undefined : { account, role, token };
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
