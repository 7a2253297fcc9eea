/** Durations in the secrets server's formats. */
import * as z from 'zod/mini';
import { readDuration, wholeSeconds } from './read-duration.ts';

/** `0s`, `90s`, `3h25m19s`, or a number of seconds. */
export const duration = z.string().check(
  z.trim(),
  z.superRefine((text, context) => {
    const message =
      readDuration(text) === undefined
        ? 'Enter a duration such as 90s, 30m, 36h or 720h; 0s for never.'
        : wholeSeconds(text) === undefined
          ? "Enter whole seconds. The server doesn't support fractions."
          : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);
