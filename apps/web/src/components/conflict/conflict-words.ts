import type { Conflict } from '@gatehouse/record-merge';

/** How a kind of records is spoken of: `root credentials` and `settings` are plural. */
export function numberOf(noun: string): { readonly one: string; readonly it: string; readonly was: string } {
  return noun.endsWith('s')
    ? { one: `These ${noun}`, it: 'They', was: 'were' }
    : { one: `This ${noun}`, it: 'It', was: 'was' };
}

/** What the view of a conflict needs to know of a resource: names and words of its fields. */
export interface ConflictWords {
  /** `target` */
  readonly noun: string;
  readonly labelOf: (conflict: Pick<Conflict, 'path' | 'fields' | 'id'>) => string;
  /** A value in words; '' where nothing is set. Secrets come masked. */
  readonly show: (path: readonly string[], value: unknown) => string;
  /** What happened to the field, in place of what the merge says of it. @param by `by Ada`, `elsewhere` */
  readonly noteOf?: (by: string) => string;
  /** What the value of a secret says, shown when the person asks for it. */
  readonly secretText?: (value: unknown) => string;
}
