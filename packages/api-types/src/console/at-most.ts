import * as z from 'zod/mini';

/**
 * Limits the characters of a text or the items of a list. What is longer isn't checked further, because a body can be
 * a thousand times longer than a field.
 * @param problem in words
 */
// @__NO_SIDE_EFFECTS__
export function atMost(most: number, problem?: string) {
  return z.maxLength(most, { abort: true, error: problem });
}
