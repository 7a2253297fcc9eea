import { absent } from './absent.ts';
import { assemble, copyOf, entriesOf, entryPolicy, isContainer, isPlainObject } from './container.ts';
import { deepEqual } from './equal.ts';
import type { Conflict, Path } from './findings.ts';
import type { MergeResult } from './merge.ts';
import { pointer } from './pointer.ts';
import type { FieldPolicy } from './policy.ts';

/**
 * What a person decided about one conflict: keep what is stored, take their own value, or another one. The value of
 * an edited group is an object of its fields, in which a missing field is deleted; elsewhere `absent` deletes.
 */
export type Decision =
  | { readonly choice: 'current' }
  | { readonly choice: 'mine' }
  | { readonly choice: 'edited'; readonly value: unknown };

/**
 * Puts decisions, by id of their conflict, into a merged record, which holds theirs where none was made. A decision
 * about something that is not in conflict is ignored.
 * @throws TypeError when a group is edited to something that is not an object.
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
  // A record of type T in which fields took the values of another record of type T, or ones that the caller chose.
  return { record: record as T, undecided };
}

/**
 * The decisions that still hold after a further edit by somebody else: those about conflicts that are in the next
 * merge as they were in the previous one, with the same base, mine and theirs. What becomes of the others is the caller's.
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
  if (!isPlainObject(value)) throw new TypeError(`The group ${conflict.id} takes an object of its fields.`);
  return conflict.fields.map((field) => [
    [...conflict.path, field],
    Object.hasOwn(value, field) && value[field] !== undefined ? value[field] : absent,
  ]);
}

/** A copy of the container in which the value at `path` is another, or deleted when that is `absent`. */
function place(policy: FieldPolicy, container: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return copyOf(policy, replacement);
  const present = isContainer(policy) ? entriesOf(policy, container) : undefined;
  if (!isContainer(policy) || !present)
    throw new TypeError(`There is nothing that could hold ${pointer(path)}.`);
  const entries = new Map(present);
  const value = place(entryPolicy(policy, key), entries.get(key), rest, replacement);
  if (value === absent || value === undefined) entries.delete(key);
  else entries.set(key, value);
  return assemble(policy, entries);
}
