import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import type { OwnerMay } from '@gatehouse/api-types/console/boxes';

/** Why you can't change an owner's boxes; undefined if you can, or the registry doesn't report permissions. */
export function reasonAgainstPublishing(may: OwnerMay, owner: string): string | undefined {
  if (may === null || may.publish) return undefined;
  return `You aren't allowed to change boxes of ${owner}. Ask one of its owners or an administrator of the box registry.`;
}

/** Why you can't publish for any owner; undefined if you can, or the registry doesn't report permissions. */
export function reasonAgainstAnyPublishing({
  namespaces,
  namespaces_complete: isComplete,
}: Pick<BoxAccount, 'namespaces' | 'namespaces_complete'>): string | undefined {
  if (!isComplete || namespaces.length > 0) return undefined;
  return 'Your role in the box registry is read-only. Ask an administrator for another role.';
}

/** Why you can't manage an organization; undefined if you can, or the registry doesn't report permissions. */
export function reasonAgainstManaging(may: OwnerMay, organization: string): string | undefined {
  if (may === null || may.manage) return undefined;
  return `Only owners of ${organization} and administrators of the box registry can manage it.`;
}
