import { pickRandom } from '#lib/pick-random.ts';

/** Without characters that are easily confused when read out or copied by hand. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('');
const groups = 5;
const groupLength = 4;

/** A password of 20 random characters (116 bits) in groups of four. */
export function newPassword(): string {
  return Array.from({ length: groups }, () => pickRandom(alphabet, groupLength).join('')).join('-');
}
