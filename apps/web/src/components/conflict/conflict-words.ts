import type { Conflict } from '@gatehouse/record-merge';

/** What the view of a conflict needs to know of a resource: names and words of its fields. */
export interface ConflictWords {
  /** `target` */
  readonly noun: string;
  readonly labelOf: (conflict: Pick<Conflict, 'path' | 'fields' | 'id'>) => string;
  /** A value in words; '' where nothing is set. Secrets come masked. */
  readonly show: (path: readonly string[], value: unknown) => string;
  /** What happened to the field, in place of what the merge says of it. */
  readonly noteOf?: (who: string) => string;
  /** What the value of a secret says, shown when the person asks for it. */
  readonly secretText?: (value: unknown) => string;
}
