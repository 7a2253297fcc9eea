import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import type { OwnerMay } from '@gatehouse/api-types/console/boxes';

/** Why the person cannot change what belongs to an owner; undefined where they can, or the registry does not tell. */
export function reasonAgainstPublishing(may: OwnerMay, owner: string): string | undefined {
  if (may === null || may.publish) return undefined;
  return `You aren't allowed to change boxes of ${owner}. Ask one of its owners or an administrator of the box registry.`;
}

/** Why the person cannot publish under any name; undefined where they can, or the registry does not tell. */
export function reasonAgainstAnyPublishing({
  namespaces,
  namespaces_complete: isComplete,
}: Pick<BoxAccount, 'namespaces' | 'namespaces_complete'>): string | undefined {
  if (!isComplete || namespaces.length > 0) return undefined;
  return 'Your role in the box registry is read-only. Ask an administrator for another role.';
}

/** Why the person cannot manage an organization; undefined where they can, or the registry does not tell. */
export function reasonAgainstManaging(may: OwnerMay, organization: string): string | undefined {
  if (may === null || may.manage) return undefined;
  return `Only owners of ${organization} and administrators of the box registry can manage it.`;
}
