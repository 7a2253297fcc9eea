import type { FieldPolicy } from './policy.ts';

/** Keys from the record down to a field; for an item of a list its key, as a string. */
export type Path = readonly string[];

/** A change of one side, or of both alike, that needed no decision. An entry added or deleted is one change. */
export interface Change {
  readonly path: Path;
  /** `both`: made by both alike, or a set or a text that combines the changes of both. */
  readonly side: 'mine' | 'theirs' | 'both';
  /** `absent` when the entry was added. */
  readonly before: unknown;
  /** `absent` when the entry was deleted. */
  readonly after: unknown;
  readonly kind: FieldPolicy['kind'];
}

/** A field, or a group of fields, to which both sides did different things. */
export interface Conflict {
  /** The path as a JSON Pointer (RFC 6901), for a group followed by `~{name}`: the same in every merge of the record. */
  readonly id: string;
  /** The field; for a group the record that holds its fields. */
  readonly path: Path;
  /** The fields of a group. */
  readonly fields?: readonly string[];
  readonly kind: FieldPolicy['kind'] | 'group';
  /** What was done, by mine first: `edited-deleted` says that mine edited what theirs deleted. */
  readonly reason: 'both-edited' | 'edited-deleted' | 'deleted-edited' | 'both-added';
  /**
   * The three values whole; `absent` where there is no entry. Of a group: an object of the fields that are present. Of a
   * policy document: mine and theirs hold the changes of both, and differ in the statements that are in conflict alone.
   */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}
