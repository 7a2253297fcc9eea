import { badRequest, quoted } from '../../core/refusal.ts';

/** The custom metadata of a secret or a namespace, by name. */
export type CustomMetadata = ReadonlyMap<string, string>;

const limits = { keys: 64, keyBytes: 128, valueBytes: 512 } as const;

/** Letters, marks, numbers, punctuation, symbols and the ordinary space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/**
 * Parses custom metadata.
 * @throws Refusal 400 for more than 64 names, names over 128 bytes, values over 512 bytes, and empty or unprintable
 * texts
 */
export function parseCustomMetadata(value: Readonly<Record<string, unknown>>): CustomMetadata {
  const notes = new Map<string, string>();
  for (const [name, text] of Object.entries(value)) notes.set(name, checkedText(name, text));
  return checked(notes);
}

/** Applies a merge patch to custom metadata; null removes a name. @throws Refusal 400, as `parseCustomMetadata` does */
export function patchCustomMetadata(
  notes: CustomMetadata,
  patch: Readonly<Record<string, unknown>>,
): CustomMetadata {
  const changed = new Map(notes);
  for (const [name, text] of Object.entries(patch)) {
    if (text === null) changed.delete(name);
    else changed.set(name, checkedText(name, text));
  }
  return checked(changed);
}

/** Custom metadata as JSON text; null if it is empty. */
export function customMetadataText(notes: CustomMetadata): string | null {
  if (notes.size === 0) return null;
  const members = [...notes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
  return `{${members.join(',')}}`;
}

/** Accepts a number as its text, as other secrets servers do. */
function checkedText(name: string, text: unknown): string {
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string') {
    throw badRequest(`custom_metadata validation failed: value of ${quoted(name)} is not a string`);
  }
  return text;
}

function checked(notes: CustomMetadata): CustomMetadata {
  const refuse = (why: string): never => {
    throw badRequest(`custom_metadata validation failed: ${why}`);
  };
  if (notes.size > limits.keys) {
    refuse(`payload must contain at most ${limits.keys} keys, provided ${notes.size}`);
  }
  for (const [name, text] of notes) {
    const shown = quoted(name);
    const nameBytes = Buffer.byteLength(name);
    const textBytes = Buffer.byteLength(text);
    if (nameBytes === 0 || nameBytes > limits.keyBytes) {
      refuse(`length of key ${shown} is ${nameBytes} but must be 0 < len(key) <= ${limits.keyBytes}`);
    }
    if (textBytes === 0 || textBytes > limits.valueBytes) {
      refuse(
        `length of value for key ${shown} is ${textBytes} but must be 0 < len(value) <= ${limits.valueBytes}`,
      );
    }
    if (!printable.test(name)) refuse(`key ${shown} contains unprintable characters`);
    if (!printable.test(text)) refuse(`value for key ${shown} contains unprintable characters`);
  }
  return notes;
}
