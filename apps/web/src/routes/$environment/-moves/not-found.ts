/** Names that matched nothing. */
import type { Move } from '@gatehouse/api-types/console/moves';

/**
 * Requested names without an owner (namespace) at the source, because of a typo or because they are private, in list
 * order.
 */
export function namesNotFound({ wanted, found }: Pick<Move, 'wanted' | 'found'>): readonly string[] {
  const owners = new Set(found.owners);
  return wanted.filter((name) => !owners.has(name.split('/')[0] ?? ''));
}
