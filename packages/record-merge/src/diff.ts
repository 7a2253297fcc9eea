import type { Change } from './findings.ts';
import { merge } from './merge.ts';
import type { RecordPolicy } from './policy.ts';

/**
 * An edit's changes, one for each changed field and each entry added or deleted, in the order of the policy's fields.
 * Their side is `mine`.
 */
export function diffRecords<T>(policy: RecordPolicy, before: T, after: T): readonly Change[] {
  // Merging an edit against an unchanged record accepts all of its changes and nothing else.
  return merge(policy, before, after, before).changes;
}

/** The record's fields with changes at any depth, which a partial update must send. */
export function changedFields(policy: RecordPolicy, before: object, after: object): readonly string[] {
  const fields = diffRecords(policy, before, after).map((change) => change.path[0]);
  return [...new Set(fields.filter((field) => field !== undefined))];
}

/**
 * The members that an edit added to a set and removed from it, each in its record's order. Absent or null sets count as
 * empty.
 */
export function diffSets(
  before: Iterable<string> | null | undefined,
  after: Iterable<string> | null | undefined,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [old, current] = [new Set(before ?? []), new Set(after ?? [])];
  return { added: [...current.difference(old)], removed: [...old.difference(current)] };
}
