import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import type { AuthToken } from '../../domain/auth-token.ts';
import { allowedOn, forbidden } from '../../domain/permissions.ts';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import { type Caller, requireCaller, requireIn } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { readGlobalPlace } from '../global-list.ts';
import { globalSummary } from '../global-scope.ts';
import { answerPage, readPageRequest, type AskedListing } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import { wireAuthToken } from '../wire/auth-token.ts';

/** The actions of all users on their own tokens, whatever their role. */
export const ownTokenActions: readonly string[] = ['no-op', 'read:self', 'delete:self'];

export function tokenActions(caller: Caller, token: AuthToken): readonly string[] {
  const byRole = allowedOn('auth-token', caller.role);
  if (token.userId !== caller.account.id) return byRole;
  return [...new Set([...byRole, ...ownTokenActions])];
}

/**
 * The token in a request's path: the caller's own or, with the right role, any.
 * @throws Refusal `unauthenticated`, `invalid argument`, `forbidden`, `not found`
 */
export function requestedToken(
  context: Context,
  req: Request,
  action: 'read' | 'delete',
): { readonly caller: Caller; readonly token: AuthToken } {
  return requireCaller(context, req, (caller) => {
    const token = context.tokens.get(pathId(req, 'at'));
    const mayAny = allowedOn('auth-token', caller.role).includes(action);
    // Without the right to all tokens, unknown tokens and those of other users look the same.
    if (token?.userId !== caller.account.id && !mayAny) throw forbidden();
    if (token === undefined) throw notFound();
    return { caller, token };
  });
}

/** DELETE /v1/auth-tokens/{id}: signs out. */
export const deleteAuthToken: Operation = async (context, req, res) => {
  const { token } = requestedToken(context, req, 'delete');
  await context.tokens.remove(token.id);
  sendEmpty(res);
};

/** GET /v1/auth-tokens/{id} */
export const getAuthToken: Operation = (context, req, res) => {
  const { caller, token } = requestedToken(context, req, 'read');
  sendJson(res, 200, wireAuthToken(token, globalSummary(context), tokenActions(caller, token)));
};

/** GET /v1/auth-tokens: a page, newest first, of the caller's own tokens, or with the right role of all tokens. */
export const listAuthTokens: Operation = async (context, req, res) => {
  const caller = requireIn(context, req, 'auth-token', 'list');
  const faults = new FieldFaults();
  const place = readGlobalPlace(context, req, faults);
  const request = await readPageRequest(context, req, faults);
  faults.refuseAny();

  const userId = allowedOn('auth-token', caller.role).includes('read') ? undefined : caller.account.id;
  const scope = globalSummary(context);
  const asked: AskedListing<AuthToken> = {
    listing: context.tokens.pages(userId),
    within: place.within(),
    of: ['auth-token', userId ?? '', ...place.of],
    toWire: (token) => wireAuthToken(token, scope, tokenActions(caller, token)),
  };
  sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
};
