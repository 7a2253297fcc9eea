import { diff3Merge } from 'node-diff3';

/** Longest text, in lines, that is merged by lines. */
export const MAX_LINES = 5_000;

/**
 * How many pairs of equal lines the base may have with one side. The time of the comparison grows with this number
 * times the lines, so that a few hundred repeated lines would already be felt; a text of distinct lines has one pair each.
 */
const MAX_EQUAL_PAIRS = 50_000;

/**
 * Merges three texts line by line; every newline, of whichever convention, stays as it was.
 * @returns the merged text, or undefined when both sides changed the same or touching lines differently, or when the
 * texts are too long or too repetitive to be compared: then the text is to be chosen as a whole.
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

function isComparable(before: readonly string[], after: readonly string[]): boolean {
  if (before.length > MAX_LINES || after.length > MAX_LINES) return false;
  const occurrences = new Map<string, number>();
  for (const line of before) occurrences.set(line, (occurrences.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of after) pairs += occurrences.get(line) ?? 0;
  return pairs <= MAX_EQUAL_PAIRS;
}
