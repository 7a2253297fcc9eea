/**
 * Three-way merge of records: what two people did to one record, without losing the edit of either.
 *
 * `base` is the record both started from, `mine` what this person made of it, `theirs` what is stored now.
 *
 *     const policy = record({ name: scalar, tags: set, notes: text, labels: map(scalar) });
 *     const result = merge(policy, base, mine, theirs);
 *     result.changes;    // accepted without a decision, to be marked on the screen
 *     result.conflicts;  // a person decides each; until then `result.merged` holds theirs
 *     resolve(result, new Map([[result.conflicts[0].id, { choice: 'mine' }]]));
 *
 * - A field that one side changed takes that side's value; both changed it alike: that value; else it conflicts.
 * - Sets never conflict: (theirs ∪ added by mine) − removed by mine. Text merges by lines, and conflicts as a whole.
 * - A policy document merges by its statements. In conflict are those that both changed: the others are joined whichever
 *   side is chosen.
 * - Maps, records and lists merge entry by entry; an entry edited here and deleted there conflicts.
 * - Fields of a group conflict as one where both sides changed it and between them more than one of its fields.
 * - A value that has not the shape of its policy (a number where a map should be) is chosen as a whole.
 * - Nothing is coerced: `null`, 64-bit integers as bigint and keys such as `__proto__` come out as they went in.
 *
 * Pure: the inputs are not changed, the records handed out have no prototype, and equal inputs give equal results.
 */
import { isPlainObject } from './container.ts';
import type { Change, Conflict } from './findings.ts';
import { mergeField } from './merge-field.ts';
import type { RecordPolicy } from './policy.ts';

export type { Change, Conflict, Path } from './findings.ts';

export interface MergeResult<T> {
  /** The merged record, which holds theirs at each conflict. */
  readonly merged: T;
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** The policy that it was merged by, with which decisions are put in their places. */
  readonly policy: RecordPolicy;
}

/**
 * Merges the edits `base → mine` and `base → theirs`.
 * @throws TypeError when one of the three is not a record: a record deleted or created meanwhile is for the caller.
 */
export function merge<T>(policy: RecordPolicy, base: T, mine: T, theirs: T): MergeResult<T> {
  for (const [name, value] of Object.entries({ base, mine, theirs })) {
    if (!isPlainObject(value)) throw new TypeError(`Only records can be merged, and ${name} is not one.`);
  }
  const changes: Change[] = [];
  const conflicts: Conflict[] = [];
  const merged = mergeField(policy, { base, mine, theirs }, [], { changes, conflicts });
  // Each field of the result is taken from one of three records of type T.
  return { merged: merged as T, changes, conflicts, policy };
}
