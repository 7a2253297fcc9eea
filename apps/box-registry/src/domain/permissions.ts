import type { Role } from '@gatehouse/service-kit/accounts';
import type { MemberRole, Namespace } from './namespace.ts';

/** The caller; undefined without a token. */
export type Person = { readonly accountId: string; readonly role: Role } | undefined;

export type NamespaceAction = 'read' | 'publish' | 'manage';

/**
 * The caller's actions in a namespace: `read` its private boxes and unreleased versions, `publish` boxes, and
 * `manage` the organization and its members. Everyone may read public boxes with released versions.
 * @param membership the caller's role in the namespace if it is an organization
 */
export function namespaceActions(
  person: Person,
  namespace: Pick<Namespace, 'kind' | 'accountId'>,
  membership: MemberRole | undefined,
): readonly NamespaceAction[] {
  if (person === undefined) return [];
  const organization = namespace.kind === 'organization';
  if (person.role === 'administrator')
    return organization ? ['read', 'publish', 'manage'] : ['read', 'publish'];
  if (!organization) {
    if (namespace.accountId !== person.accountId) return [];
    return person.role === 'operator' ? ['read', 'publish'] : ['read'];
  }
  if (membership === undefined) return [];
  if (person.role === 'read-only' || membership === 'reader') return ['read'];
  return membership === 'owner' ? ['read', 'publish', 'manage'] : ['read', 'publish'];
}

/** Who may create organizations: only administrators, or operators too. */
export const organizationCreators = ['administrators', 'operators'] as const;

export type OrganizationCreators = (typeof organizationCreators)[number];

export function mayCreateOrganization(person: Person, creators: OrganizationCreators): boolean {
  if (person === undefined) return false;
  return person.role === 'administrator' || (person.role === 'operator' && creators === 'operators');
}
