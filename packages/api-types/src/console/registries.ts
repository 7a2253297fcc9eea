/** Common parts of all operations on registries of boxes or modules. */
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';
import type { ProblemCode } from './problem.ts';
import { environmentId } from './service.ts';

/** The name of an existing record, whatever its registry allows, but never one that would change the path. */
export const segment = z
  .string()
  .check(
    z.minLength(1),
    atMost(256),
    z.regex(
      /^(?!\.{1,2}$)[^\p{C}\p{Z}/\\]+$/u,
      "A name can't contain spaces, slashes or control characters.",
    ),
  );

/** Whether a text is an http or https address without a user name or password. */
export function isOpenAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** The message for an address that isn't open. */
export const openAddressMessage = 'Enter an http or https address without a user name or password.';

export const environmentParams = z.strictObject({ environment: environmentId });

/** Problems of any operation that reads from the registry. Private records hidden from the caller are `not-found`. */
export const readErrors = [
  'unauthenticated',
  'not-connected',
  'no-access',
  'forbidden',
  'not-found',
  'invalid-request',
  'rate-limited',
  'service-unavailable',
  'service-timeout',
  'bad-answer',
] as const satisfies readonly ProblemCode[];

/** `readErrors` plus those of changes. */
export const changeErrors = [...readErrors, 'outcome-unknown'] as const;

/** `changeErrors` plus a conflict with reason `created` if the record already exists. */
export const createErrors = [...changeErrors, 'conflict'] as const;

/** `changeErrors` plus those of guarded operations. */
export const guardedErrors = [...createErrors, 'revision-required'] as const;
