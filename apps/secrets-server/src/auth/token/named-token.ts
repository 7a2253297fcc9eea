import type { Request } from '../../core/backend.ts';
import { textField } from '../../core/fields.ts';
import { badRequest, permissionDenied } from '../../core/refusal.ts';
import { isToken } from '../../domain/token/token.ts';
import type { Token } from '../../domain/token/token.ts';
import type { Identity } from '../../identity/identity.ts';

/** A token that an operation is about. */
export interface NamedToken {
  readonly token: Token;
  /** The token itself; empty when it was named by its accessor. */
  readonly text: string;
}

/** The caller's own token. @throws Refusal 403 */
export function ownToken({ caller, token: text }: Request): NamedToken {
  if (!isToken(caller) || text === undefined) throw permissionDenied();
  return { token: caller, text };
}

/**
 * The token that a body's member `token` is.
 * @returns undefined when there is no such token, or when it is of a namespace that the request does not reach
 * @throws Refusal 400 when the body names none
 */
export function tokenOfBody({ tokens }: Identity, request: Request): NamedToken | undefined {
  const text = textField(request.body, 'token') ?? '';
  if (text === '') throw badRequest('missing token ID');
  const token = tokens.find(text, request.now);
  return token === undefined || !token.namespace.startsWith(request.namespace) ? undefined : { token, text };
}

/** The token that a body's member `accessor` names, of those that the request reaches. @throws Refusal 400 */
export function tokenOfAccessor({ tokens }: Identity, request: Request): NamedToken {
  const accessor = textField(request.body, 'accessor') ?? '';
  if (accessor === '') throw badRequest('missing accessor');
  const token = tokens.findByAccessor(accessor, request.now);
  if (token === undefined || !token.namespace.startsWith(request.namespace)) {
    throw badRequest('invalid accessor');
  }
  return { token, text: '' };
}
