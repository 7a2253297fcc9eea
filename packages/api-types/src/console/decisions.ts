/**
 * How the user decided conflicts before a write, sent with it for the audit trail: paths, never values. Every changing
 * operation accepts it.
 */
import * as z from 'zod/mini';

export const decision = z.strictObject({
  /** The conflict's ID: a JSON Pointer, plus `~{name}` for a group; empty for the record as a whole. */
  path: z.string().check(z.maxLength(300)),
  /**
   * `current`, `mine` and `edited` decide one conflict; `merged` means that the joined changes were reviewed;
   * `overwrite` and `recreate` decide about the record as a whole.
   */
  choice: z.enum(['current', 'mine', 'edited', 'merged', 'overwrite', 'recreate']),
});
export type Decision = z.output<typeof decision>;

/** Most decisions of one write, and most bytes of the header. */
export const decisionLimit = 100;
export const decisionBytesLimit = 8 * 1024;

export const decisions = z.array(decision).check(z.maxLength(decisionLimit));

/** The header's value; undefined if it would be too long or there are no decisions. */
export function decisionsText(made: readonly Decision[]): string | undefined {
  if (made.length === 0 || made.length > decisionLimit) return undefined;
  const text = JSON.stringify(made.map(({ path, choice }) => ({ path, choice }))).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > decisionBytesLimit ? undefined : text;
}
