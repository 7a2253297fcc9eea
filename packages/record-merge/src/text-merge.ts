import { diff3Merge } from 'node-diff3';

/** Longest text that is merged by lines, in lines. */
export const MAX_LINES = 5_000;

/**
 * Most steps to compare the base with one side, estimated as pairs of equal lines × lines; they take a few tenths of a
 * second. Unique lines make one pair each; a line repeated n times makes n² pairs, which makes the comparison cubic.
 */
const MAX_STEPS = 200_000_000;

/**
 * Merges three texts line by line; newlines of any kind stay unchanged.
 * @returns the merged text; undefined if both sides changed the same or adjacent lines differently, or the texts are
 *   too long or too repetitive to compare. One side must then be chosen as a whole.
 */
export function textMerge(base: string, mine: string, theirs: string): string | undefined {
  const [before, own, current] = [base.split('\n'), mine.split('\n'), theirs.split('\n')];
  if (!isComparable(before, own) || !isComparable(before, current)) return undefined;
  const lines: string[] = [];
  for (const region of diff3Merge(own, before, current, { excludeFalseConflicts: true })) {
    if (region.ok === undefined) return undefined;
    lines.push(...region.ok);
  }
  return lines.join('\n');
}

/** Whether two texts can be compared by lines in acceptable time. */
export function isComparable(before: readonly string[], after: readonly string[]): boolean {
  if (before.length > MAX_LINES || after.length > MAX_LINES) return false;
  const occurrences = new Map<string, number>();
  for (const line of before) occurrences.set(line, (occurrences.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of after) pairs += occurrences.get(line) ?? 0;
  return pairs * Math.max(before.length, after.length) <= MAX_STEPS;
}
