/** A set's members; undefined if the value is not an array of strings. */
export function stringsOf(value: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(value)) return undefined;
  const members: readonly unknown[] = value;
  return members.every((member) => typeof member === 'string') ? new Set(members) : undefined;
}

/**
 * Merges three sets: (theirs ∪ added by mine) − removed by mine. Keeps the order of theirs, then of mine's additions,
 * without duplicates.
 */
export function setMerge(base: Iterable<string>, mine: Iterable<string>, theirs: Iterable<string>): string[] {
  const [before, kept] = [new Set(base), new Set(mine)];
  const removedByMine = before.difference(kept);
  const addedByMine = kept.difference(before);
  return [...new Set(theirs).union(addedByMine).difference(removedByMine)];
}
