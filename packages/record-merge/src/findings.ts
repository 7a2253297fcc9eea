import type { FieldPolicy } from './policy.ts';

/** Keys from the record down to a field; a list item's key is a string. */
export type Path = readonly string[];

/** A change by one side, or the same by both, that needed no decision. An entry added or deleted is one change. */
export interface Change {
  readonly path: Path;
  /** `both`: the same change by both, or a set or text that combines both sides' changes. */
  readonly side: 'mine' | 'theirs' | 'both';
  /** `absent` if the entry was added. */
  readonly before: unknown;
  /** `absent` if the entry was deleted. */
  readonly after: unknown;
  readonly kind: FieldPolicy['kind'];
}

/** A field or group of fields that both sides changed differently. */
export interface Conflict {
  /** The path as a JSON Pointer (RFC 6901), plus `~{name}` for a group. Stable across merges of the record. */
  readonly id: string;
  /** The path of the field; for a group, of the record with its fields. */
  readonly path: Path;
  /** The fields of a group. */
  readonly fields?: readonly string[];
  readonly kind: FieldPolicy['kind'] | 'group';
  /** Mine's action, then theirs: `edited-deleted` means that mine edited what theirs deleted. */
  readonly reason: 'both-edited' | 'edited-deleted' | 'deleted-edited' | 'both-added';
  /**
   * The three complete values; `absent` for a missing entry. For a group: an object of the present fields. For a policy
   * document: mine and theirs contain both sides' changes, and only differ in the conflicting statements.
   */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}
