import type { Request } from 'express';
import type { AuthToken } from '../../domain/auth-token.ts';
import { allowedOn, forbidden } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import type { Caller } from '../caller.ts';
import { requireCaller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pathId } from '../path-id.ts';

/** What everyone may do with their own tokens, whatever their role. */
export const ownTokenActions: readonly string[] = ['no-op', 'read:self', 'delete:self'];

/** What a caller may do with a token. */
export function tokenActions(caller: Caller, token: AuthToken): readonly string[] {
  const byRole = allowedOn('auth-token', caller.role);
  if (token.userId !== caller.account.id) return byRole;
  return [...new Set([...byRole, ...ownTokenActions])];
}

/**
 * The token that a request is about, one's own or, with the right role, anyone's.
 * @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found`
 */
export function requestedToken(
  context: Context,
  req: Request,
  action: 'read' | 'delete',
): { readonly caller: Caller; readonly token: AuthToken } {
  const caller = requireCaller(context, req);
  const id = pathId(req, 'at');
  const token = context.tokens.get(id);
  const mayAny = allowedOn('auth-token', caller.role).includes(action);
  // Without the right to all tokens, an unknown one and another person's look alike.
  if (token?.userId !== caller.account.id && !mayAny) throw forbidden();
  if (token === undefined) throw notFound();
  return { caller, token };
}
