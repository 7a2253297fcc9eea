import { diffComm } from 'node-diff3';
import { isComparable } from './text-merge.ts';

/** A line of a comparison. Numbers count from 1 on the line's own side. */
export type DiffLine =
  | { readonly kind: 'same'; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly text: string; readonly before: number }
  | { readonly kind: 'added'; readonly text: string; readonly after: number };

/**
 * Compares two texts line by line; in a changed region, removed lines come first.
 * @returns undefined if the texts are too long or too repetitive to compare
 */
export function lineDiff(before: string, after: string): readonly DiffLine[] | undefined {
  const [old, current] = [before.split('\n'), after.split('\n')];
  if (!isComparable(old, current)) return undefined;
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  for (const part of diffComm(old, current)) {
    if (part.common !== undefined) {
      for (const text of part.common) lines.push({ kind: 'same', text, before: ++left, after: ++right });
      continue;
    }
    for (const text of part.buffer1) lines.push({ kind: 'removed', text, before: ++left });
    for (const text of part.buffer2) lines.push({ kind: 'added', text, after: ++right });
  }
  return lines;
}
