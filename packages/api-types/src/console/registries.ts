/** What every operation on a registry, of boxes or of modules, has in common. */
import * as z from 'zod/mini';
import type { ProblemCode } from './problem.ts';
import { environmentId } from './service.ts';

/** A name of something that is there, whatever its registry allows; never one that would change the path. */
export const segment = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(256),
    z.regex(
      /^(?!\.{1,2}$)[^\p{C}\p{Z}/\\]+$/u,
      "A name can't contain spaces, slashes or control characters.",
    ),
  );

/** Whether a text is an http or https address without a user name or a password in it. */
export function isOpenAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** What is said of one that is not. */
export const openAddressMessage = 'Enter an http or https address without a user name or password.';

export const environmentParams = z.strictObject({ environment: environmentId });

/** What any operation that asks the registry may meet. What is private and may not be read is `not-found`. */
export const readErrors = [
  'unauthenticated',
  'not-connected',
  'forbidden',
  'not-found',
  'invalid-request',
  'rate-limited',
  'service-unavailable',
  'service-timeout',
  'bad-answer',
] as const satisfies readonly ProblemCode[];

/** The same of one that changes something. */
export const changeErrors = [...readErrors, 'outcome-unknown'] as const;

/** The same of a creation: what is there already is a conflict whose reason is `created`. */
export const createErrors = [...changeErrors, 'conflict'] as const;

/** The same of one that carries the revision that the person saw. */
export const guardedErrors = [...createErrors, 'revision-required'] as const;
