import { wordlist } from '@scure/bip39/wordlists/english.js';
import { pickRandom } from '#lib/pick-random.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const each = (characters: string): readonly string[] => characters.split('');

/** What a value can be made of. `usual` is the number of parts offered first. */
export const recipes = [
  { id: 'plain', label: 'Letters and digits', parts: each(letters + digits), separator: '', usual: 32 },
  {
    id: 'symbols',
    label: 'Letters, digits and symbols',
    // Without quotes, backslashes, spaces and the characters that connection strings and shells split at.
    parts: each(`${letters}${digits}!#%*+,-.=?^_~`),
    separator: '',
    usual: 32,
  },
  { id: 'hex', label: 'Hexadecimal digits', parts: each(`${digits}abcdef`), separator: '', usual: 64 },
  { id: 'words', label: 'English words', parts: wordlist, separator: '-', usual: 8 },
] as const;
export type Recipe = (typeof recipes)[number];

/** Least and most characters or words of a generated value. */
export const partLimits = { min: 4, max: 1_000 } as const;

/** A random value of this many characters or words. */
export function generatedValue({ parts, separator }: Recipe, count: number): string {
  return pickRandom(parts, count).join(separator);
}

/** How hard a generated value is to guess, in bits. */
export function bitsOf({ parts }: Recipe, count: number): number {
  return Math.floor(count * Math.log2(parts.length));
}
