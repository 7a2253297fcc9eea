import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import type { Request } from 'express';
import type { StoredNamespace } from '../../domain/namespace.ts';
import type { NamespaceAction } from '../../domain/permissions.ts';
import { forbidden, notFound } from '../../domain/refusal.ts';
import { actionsIn, segment } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Context } from '../context.ts';

/** An organization and what the caller may do in it. */
interface OrganizationAccess {
  readonly caller: TokenCaller;
  readonly organization: StoredNamespace;
  readonly actions: readonly NamespaceAction[];
}

/**
 * The organization that a path names, for somebody with a token.
 * @throws Refusal `unauthenticated`, `not found`, and `forbidden` when `manage` is asked for and not allowed
 */
export function openOrganization(
  context: Context,
  req: Request,
  need: 'read' | 'manage' = 'read',
): OrganizationAccess {
  const caller = requireCaller(context, req);
  const organization = context.namespaces.find(segment(req, 'username'));
  if (organization?.kind !== 'organization') throw notFound();
  const actions = actionsIn(context, caller, organization);
  if (need === 'manage' && !actions.includes('manage'))
    throw forbidden(`You may not manage the organization ${organization.name}`);
  return { caller, organization, actions };
}
