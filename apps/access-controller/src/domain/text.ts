/**
 * Letters, marks, numbers, punctuation, symbols and the space: the characters that Boundary's clients call printable,
 * except letters and symbols that look blank.
 */
const printable = /^(?:(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{M}\p{N}\p{P}\p{S} ])*$/u;

/** Longest name, in characters. */
export const maxName = 512;
/** Longest description or filter expression, in characters. */
export const maxText = 4096;
/** Most bytes of a secret, a certificate, and a secrets server's answer. */
export const maxSecretBytes = 64 * 1024;

/** The fault of a secret or a certificate; undefined if it is valid. */
export function secretFault(secret: string): string | undefined {
  return Buffer.byteLength(secret) > maxSecretBytes
    ? `Must be at most ${maxSecretBytes / 1024} KiB.`
    : undefined;
}

/** The fault of a trimmed name, at most `maxName` characters; undefined if it is valid. */
export function nameFault(name: string): string | undefined {
  if (name.length > maxName) return `Must be at most ${maxName} characters.`;
  return printable.test(name) ? undefined : 'Name contains unprintable characters.';
}

/** The fault of a description; undefined if it is valid. */
export function descriptionFault(description: string): string | undefined {
  if (description.length > maxText) return `Must be at most ${maxText} characters.`;
  return printable.test(description) ? undefined : 'Description contains unprintable characters.';
}
