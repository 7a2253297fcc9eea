import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';

/** The maximum number of targets named; the others are counted. */
const mostNamed = 5;

/**
 * The effect on the targets that get credentials from a record; none without such targets.
 * @param from the record and until when, as in `from this role`
 */
export function losingTargets(
  targets: readonly { readonly name: string; readonly id: string }[],
  from: string,
): readonly Impact[] {
  if (targets.length === 0) return [];
  const others = targets.length - mostNamed;
  const named = targets.slice(0, mostNamed).map(({ id, name }) => name || id);
  const all = [...named, ...(others > 0 ? [`${String(others)} more`] : [])].join(', ');
  const text = `${counted(targets.length, 'target')} will no longer get credentials ${from}: ${all}.`;
  return [{ kind: 'breaks', text }];
}
