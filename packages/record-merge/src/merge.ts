/**
 * Three-way merge of records: combines two users' edits of one record without losing either.
 *
 * `base` is the record that both edits started from, `mine` this user's edit, and `theirs` the stored record.
 *
 *     const policy = record({ name: scalar, tags: set, notes: text, labels: map(scalar) });
 *     const result = merge(policy, base, mine, theirs);
 *     result.changes;    // accepted without a decision; to be marked on the screen
 *     result.conflicts;  // to be decided by the user; until then `result.merged` holds theirs
 *     resolve(result, new Map([[result.conflicts[0].id, { choice: 'mine' }]]));
 *
 * - A field that only one side changed, or both equally, gets the changed value; otherwise it conflicts.
 * - Sets never conflict: (theirs ∪ added by mine) − removed by mine. Text merges by lines, and conflicts as a whole.
 * - A policy document merges by statements. Only statements that both sides changed differently conflict; the others
 *   are joined whichever side is chosen.
 * - Maps, records and lists merge entry by entry; an entry edited on one side and deleted on the other conflicts.
 * - Fields of a group conflict together if both sides changed the group and together more than one of its fields.
 * - A value without its policy's shape (a number instead of a map) is chosen as a whole.
 * - Nothing is coerced: `null`, 64-bit integers as bigint and keys such as `__proto__` stay unchanged.
 *
 * Pure: the inputs don't change, returned records have no prototype, and equal inputs give equal results.
 */
import { isPlainObject } from './container.ts';
import type { Change, Conflict } from './findings.ts';
import { mergeField } from './merge-field.ts';
import type { RecordPolicy } from './policy.ts';

export type { Change, Conflict, Path } from './findings.ts';

export interface MergeResult<T> {
  /** The merged record, with theirs at each conflict. */
  readonly merged: T;
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** The policy of the merge, which `resolve` needs to apply decisions. */
  readonly policy: RecordPolicy;
}

/**
 * Merges the edits `base → mine` and `base → theirs`.
 * @throws TypeError if one of the three is not a record. The caller handles records that were deleted or created since
 *   then.
 */
export function merge<T>(policy: RecordPolicy, base: T, mine: T, theirs: T): MergeResult<T> {
  for (const [name, value] of Object.entries({ base, mine, theirs })) {
    if (!isPlainObject(value)) throw new TypeError(`Only records can be merged, and ${name} is not one.`);
  }
  const changes: Change[] = [];
  const conflicts: Conflict[] = [];
  const merged = mergeField(policy, { base, mine, theirs }, [], { changes, conflicts });
  // Each field of the result comes from one of three records of type T.
  return { merged: merged as T, changes, conflicts, policy };
}
