import * as z from 'zod/mini';
import { atMost } from './at-most.ts';

/**
 * One line of text.
 * @param what the field in words, for example `A description`
 * @param most characters
 */
// @__NO_SIDE_EFFECTS__
export function line(what: string, most: number) {
  return z.string().check(
    z.trim(),
    atMost(most, `${what} must be ${most.toLocaleString('en')} characters or fewer.`),
    z.refine(
      (text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
      `${what} can't contain line breaks or control characters.`,
    ),
  );
}
