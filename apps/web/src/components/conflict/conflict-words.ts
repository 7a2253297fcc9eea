import type { Conflict } from '@gatehouse/record-merge';

/** Words that agree with a noun in number: `root credentials` and `settings` are plural. */
export function numberOf(noun: string): { readonly one: string; readonly it: string; readonly was: string } {
  return noun.endsWith('s')
    ? { one: `These ${noun}`, it: 'They', was: 'were' }
    : { one: `This ${noun}`, it: 'It', was: 'was' };
}

/** Names and words that the conflict view needs for a kind of records. */
export interface ConflictWords {
  /** `target` */
  readonly noun: string;
  readonly labelOf: (conflict: Pick<Conflict, 'path' | 'fields' | 'id'>) => string;
  /** A value in words; '' for none. Secrets are masked. */
  readonly show: (path: readonly string[], value: unknown) => string;
  /** Replaces the default words for a conflict. @param by `by Ada`, `elsewhere` */
  readonly noteOf?: (by: string) => string;
  /** The plain text of a secret, shown on request. */
  readonly secretText?: (value: unknown) => string;
}
