import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that fits in a byte: higher bytes would favor the first characters. */
const fairBytes = 248;

/**
 * Random base62 text from the cryptographic generator, with every character equally likely.
 * @param length number of characters
 */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < fairBytes && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** Creates an ID: prefix, underscore, ten base62 characters. @param prefix the resource's prefix, such as `ttcp` */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(10)}`;
}

/** Whether `value` is a well-formed ID with one of the prefixes, whether or not the record exists. */
export function isId(value: unknown, ...prefixes: readonly string[]): value is string {
  if (typeof value !== 'string') return false;
  const cut = value.length - 11;
  if (cut < 1 || value[cut] !== '_') return false;
  return /^[0-9A-Za-z]{10}$/.test(value.slice(cut + 1)) && prefixes.includes(value.slice(0, cut));
}
