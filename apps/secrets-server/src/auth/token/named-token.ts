import type { Request } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { badRequest, permissionDenied } from '../../core/refusal.ts';
import { isToken } from '../../domain/token/token.ts';
import type { Token } from '../../domain/token/token.ts';
import type { Identity } from '../../identity/identity.ts';

/** The token that an operation reads or changes. */
export interface NamedToken {
  readonly token: Token;
  /** The token itself; empty if the request named the token by its accessor. */
  readonly text: string;
}

/** The caller's own token. @throws Refusal 403 */
export function ownToken({ caller, token: text }: Request): NamedToken {
  if (!isToken(caller) || text === undefined) throw permissionDenied();
  return { token: caller, text };
}

/**
 * Finds the token in a body's member `token`.
 * @returns undefined if no such token exists in the request's namespace or below
 * @throws Refusal 400 if the body has no `token`
 */
export function tokenOfBody({ tokens }: Identity, request: Request): NamedToken | undefined {
  const text = textField(request.body, 'token') ?? '';
  if (text === '') throw badRequest('missing token ID');
  const token = tokens.find(text, request.now);
  return token === undefined || !token.namespace.startsWith(request.namespace) ? undefined : { token, text };
}

/** Finds a token of the request's namespace or below by a body's member `accessor`. @throws Refusal 400 */
export function tokenOfAccessor({ tokens }: Identity, request: Request): NamedToken {
  const accessor = textField(request.body, 'accessor') ?? '';
  if (accessor === '') throw badRequest('missing accessor');
  const token = tokens.findByAccessor(accessor, request.now);
  if (token === undefined || !token.namespace.startsWith(request.namespace)) {
    throw badRequest('invalid accessor');
  }
  return { token, text: '' };
}
