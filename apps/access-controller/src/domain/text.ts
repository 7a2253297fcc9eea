/**
 * Letters, marks, numbers, punctuation, symbols and the plain space: what the field's clients call printable, without the
 * letters and the symbol that are blank.
 */
const printable = /^(?:(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{M}\p{N}\p{P}\p{S} ])*$/u;

/** Longest name, in characters. */
export const maxName = 512;
/** Longest description or filter expression, in characters. */
export const maxText = 4096;

/** What is wrong with a name of at most `maxName` characters (trimmed already); undefined when nothing is. */
export function nameFault(name: string): string | undefined {
  if (name.length > maxName) return `Must be at most ${maxName} characters.`;
  return printable.test(name) ? undefined : 'Name contains unprintable characters.';
}

/** What is wrong with a description; undefined when nothing is. */
export function descriptionFault(description: string): string | undefined {
  if (description.length > maxText) return `Must be at most ${maxText} characters.`;
  return printable.test(description) ? undefined : 'Description contains unprintable characters.';
}
