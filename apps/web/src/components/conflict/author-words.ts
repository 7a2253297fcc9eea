import { formatRelative } from '@gatehouse/ui/time';
import type { Author } from './conflict-state.ts';

/** Who, as far as it is known: services often keep no name. */
export function whoOf({ changedBy }: Author): string {
  return changedBy ?? 'somebody else';
}

/** `by ana, 2 minutes ago`, `2 minutes ago`, or `by somebody else`. */
export function byWhomAndWhen({ changedBy, changedAt }: Author, now: number): string {
  const when =
    changedAt === null ? undefined : formatRelative(changedAt, Math.max(now, Date.parse(changedAt)));
  if (changedBy === null) return when === undefined ? 'by somebody else' : `by somebody else, ${when}`;
  return when === undefined ? `by ${changedBy}` : `by ${changedBy}, ${when}`;
}
