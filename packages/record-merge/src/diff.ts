import type { Change } from './findings.ts';
import { merge } from './merge.ts';
import type { RecordPolicy } from './policy.ts';

/**
 * The changes that an edit made, one for each changed field and each entry added or deleted, in the order of the
 * policy's fields. All are of the side `mine`.
 */
export function diffRecords<T>(policy: RecordPolicy, before: T, after: T): readonly Change[] {
  // An edit that nobody else interferes with: every change of it is accepted, and nothing else is.
  return merge(policy, before, after, before).changes;
}

/** The fields of the record in or below which something changed: those that a partial update has to carry. */
export function changedFields(policy: RecordPolicy, before: object, after: object): readonly string[] {
  const fields = diffRecords(policy, before, after).map((change) => change.path[0]);
  return [...new Set(fields.filter((field) => field !== undefined))];
}

/** What an edit added to a set and removed from it, each in the order of its record. Absent or null sets are empty. */
export function diffSets(
  before: Iterable<string> | null | undefined,
  after: Iterable<string> | null | undefined,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [old, current] = [new Set(before ?? []), new Set(after ?? [])];
  return { added: [...current.difference(old)], removed: [...old.difference(current)] };
}
