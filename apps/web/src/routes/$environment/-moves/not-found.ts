/** Names that brought nothing. */
import type { Move } from '@gatehouse/api-types/console/moves';

/** What was asked for and has no owner (namespace) at the source: a typing mistake, or private. In the order of the list. */
export function namesNotFound({ wanted, found }: Pick<Move, 'wanted' | 'found'>): readonly string[] {
  const owners = new Set(found.owners);
  return wanted.filter((name) => !owners.has(name.split('/')[0] ?? ''));
}
