import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';

/** The targets that read a record. */
export interface TargetsReading {
  readonly items: readonly { readonly name: string; readonly id: string }[];
  /** More exist than were checked. */
  readonly more: boolean;
}

/** The maximum number of targets named; the others are counted. */
const mostNamed = 5;

/** Names the first targets, and counts the others. */
export function namesOf(targets: TargetsReading['items']): string {
  const others = targets.length - mostNamed;
  const named = targets.slice(0, mostNamed).map(({ id, name }) => name || id);
  return [...named, ...(others > 0 ? [`${String(others)} more`] : [])].join(', ');
}

/**
 * The effect on the targets that get credentials from a record, and whether all were checked. If one source of a target
 * fails, the controller refuses the whole session.
 * @param reading undefined until they are looked up; null if they can't be
 * @param record as in `this role`
 * @param until when the effect ends, if it does
 */
export function losingTargets(
  reading: TargetsReading | null | undefined,
  record: string,
  until = ' any more',
): readonly Impact[] {
  const targets = reading?.items ?? [];
  const impacts: Impact[] = [];
  if (targets.length > 0) {
    const text = `No session can be authorized on ${counted(targets.length, 'target')}${until}: ${namesOf(targets)}.`;
    impacts.push({ kind: 'breaks', text });
  }
  if (reading === null || reading?.more === true) {
    const text = `Other targets may use ${record}: not all targets could be checked.`;
    impacts.push({ kind: 'worth-knowing', text });
  }
  return impacts;
}
