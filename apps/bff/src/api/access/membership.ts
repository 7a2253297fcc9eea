import type { SetAction } from '@gatehouse/api-types/console/record-fields';

/** Whether a stored set is as the change requested. */
export function holdsChange(stored: readonly string[], action: SetAction, ids: readonly string[]): boolean {
  const members = new Set(stored);
  switch (action) {
    case 'add':
      return ids.every((id) => members.has(id));
    case 'remove':
      return ids.every((id) => !members.has(id));
    case 'set':
      return members.symmetricDifference(new Set(ids)).size === 0;
  }
}
