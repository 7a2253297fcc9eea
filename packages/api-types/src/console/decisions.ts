/**
 * How a person decided conflicts before a write, told beside it so that the audit trail can record it: by paths,
 * never values. Any operation that changes something takes it.
 */
import * as z from 'zod/mini';

export const decision = z.strictObject({
  /** The id of the conflict: a JSON Pointer, for a group followed by `~{name}`; empty for the record as a whole. */
  path: z.string().check(z.maxLength(300)),
  /**
   * `current`, `mine` and `edited` decide one conflict; `merged`: both sides' changes were joined and looked at;
   * `overwrite` and `recreate` are about the record as a whole.
   */
  choice: z.enum(['current', 'mine', 'edited', 'merged', 'overwrite', 'recreate']),
});
export type Decision = z.output<typeof decision>;

/** Decisions of one write at most, and bytes of the header field at most. */
export const decisionLimit = 100;
export const decisionBytesLimit = 8 * 1024;

export const decisions = z.array(decision).check(z.maxLength(decisionLimit));

/** The value of the header field; undefined where it would be too long or there is nothing to tell. */
export function decisionsText(made: readonly Decision[]): string | undefined {
  if (made.length === 0 || made.length > decisionLimit) return undefined;
  const text = JSON.stringify(made.map(({ path, choice }) => ({ path, choice }))).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > decisionBytesLimit ? undefined : text;
}
