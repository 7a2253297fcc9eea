/** Lengths of time as the secrets server writes them. */
import * as z from 'zod/mini';

/** `0s`, `90s`, `3h25m19s`; or a number of seconds. */
export const duration = z
  .string()
  .check(
    z.trim(),
    z.regex(
      /^(?:\d+|(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)$/,
      'Write a length of time such as 90s, 30m, 36h or 720h; 0s for never.',
    ),
  );
