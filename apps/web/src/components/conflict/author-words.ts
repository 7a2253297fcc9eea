import { formatRelative } from '@gatehouse/ui/time';
import type { Author } from './conflict-state.ts';

/** `by Ada`, `by you in another window`; `elsewhere` if the service records no name. */
export function byWhom({ changedBy, isYours }: Pick<Author, 'changedBy' | 'isYours'>): string {
  if (isYours === true) return 'by you in another window';
  return changedBy === null ? 'elsewhere' : `by ${changedBy}`;
}

/** `by Ada, 2 minutes ago`, `by Ada` */
export function byWhomAndWhen(author: Author, now: number): string {
  const { changedAt } = author;
  if (changedAt === null) return byWhom(author);
  return `${byWhom(author)}, ${formatRelative(changedAt, Math.max(now, Date.parse(changedAt)))}`;
}
