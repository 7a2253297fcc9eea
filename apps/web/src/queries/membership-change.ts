import type { SetAction } from '@gatehouse/api-types/console/record-fields';

/** The one change that turns `before` into `after`; `ids` are the members that it names. */
export function membershipChange(
  before: readonly string[],
  after: readonly string[],
): { readonly action: SetAction; readonly ids: readonly string[] } {
  const [had, has] = [new Set(before), new Set(after)];
  const [added, removed] = [has.difference(had), had.difference(has)];
  if (removed.size === 0) return { action: 'add', ids: [...added] };
  if (added.size === 0) return { action: 'remove', ids: [...removed] };
  return { action: 'set', ids: [...has] };
}
