import { absent } from './absent.ts';
import { assemble, copyOf, entriesOf, entryPolicy, isContainer, isPlainObject } from './container.ts';
import { deepEqual } from './equal.ts';
import type { Conflict, Path } from './findings.ts';
import type { MergeResult } from './merge.ts';
import { pointer } from './pointer.ts';
import type { FieldPolicy } from './policy.ts';

/**
 * A user's decision about one conflict: keep the stored value, use their own, or another one. For a group, the edited
 * value is an object of its fields, in which a missing field is deleted; otherwise `absent` deletes.
 */
export type Decision =
  | { readonly choice: 'current' }
  | { readonly choice: 'mine' }
  | { readonly choice: 'edited'; readonly value: unknown };

/**
 * Applies decisions, by conflict ID, to a merged record, which keeps theirs for undecided conflicts. Ignores decisions
 * about anything that isn't in conflict.
 * @throws TypeError if a group is edited to a value that is not an object
 */
export function resolve<T>(
  result: MergeResult<T>,
  decisions: ReadonlyMap<string, Decision>,
): { readonly record: T; readonly undecided: readonly Conflict[] } {
  let record: unknown = result.merged;
  const undecided: Conflict[] = [];
  for (const conflict of result.conflicts) {
    const decision = decisions.get(conflict.id);
    if (!decision) undecided.push(conflict);
    else if (decision.choice !== 'current') {
      const value = decision.choice === 'mine' ? conflict.mine : decision.value;
      for (const [path, replacement] of replacements(conflict, value)) {
        record = place(result.policy, record, path, replacement);
      }
    }
  }
  // A record of type T, with field values from another record of type T or chosen by the caller.
  return { record: record as T, undecided };
}

/**
 * The decisions that remain valid after another user's edit: those about conflicts with the same base, mine and theirs
 * in the previous and the next merge. The caller handles the others.
 */
export function carryDecisions(
  previous: MergeResult<unknown>,
  next: MergeResult<unknown>,
  decisions: ReadonlyMap<string, Decision>,
): Map<string, Decision> {
  const known = new Map(previous.conflicts.map((conflict) => [conflict.id, conflict]));
  const carried = new Map<string, Decision>();
  for (const { id, base, mine, theirs } of next.conflicts) {
    const decision = decisions.get(id);
    const before = known.get(id);
    if (!decision || !before) continue;
    if (!deepEqual([before.base, before.mine, before.theirs], [base, mine, theirs])) continue;
    carried.set(id, decision);
  }
  return carried;
}

function replacements(conflict: Conflict, value: unknown): readonly (readonly [Path, unknown])[] {
  if (!conflict.fields) return [[conflict.path, value]];
  if (!isPlainObject(value))
    throw new TypeError(`The decision for the group ${conflict.id} must be an object with its fields.`);
  return conflict.fields.map((field) => [
    [...conflict.path, field],
    Object.hasOwn(value, field) && value[field] !== undefined ? value[field] : absent,
  ]);
}

/** A copy of the container with the value at `path` replaced, or deleted if `replacement` is `absent`. */
function place(policy: FieldPolicy, container: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return copyOf(policy, replacement);
  const present = isContainer(policy) ? entriesOf(policy, container) : undefined;
  if (!isContainer(policy) || !present)
    throw new TypeError(`${pointer(path)} can't be set, because its parent isn't an object or list.`);
  const entries = new Map(present);
  const value = place(entryPolicy(policy, key), entries.get(key), rest, replacement);
  if (value === absent || value === undefined) entries.delete(key);
  else entries.set(key, value);
  return assemble(policy, entries);
}
