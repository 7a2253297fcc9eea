/** How mounts, paths and versions of secrets are written, and what every operation on secrets has in common. */
import * as z from 'zod/mini';
import { asSecret } from './field-kinds.ts';
import { pathProblem } from './path-problem.ts';
import type { ProblemCode } from './problem.ts';
import { environmentId } from './service.ts';

/** The largest JSON text of a secret's data, in bytes of UTF-8. */
export const dataLimitBytes = 4 * 1024 * 1024;

/** Values of a secret's data at most, those in others included: the built-in secrets server takes no more. */
export const dataValuesLimit = 20_000;

/** The largest body that carries one secret: its text once more as a JSON string, where every quote takes two bytes. */
export const dataBodyLimitBytes = 2 * dataLimitBytes + 64 * 1024;

const pathOf = (empty: string | undefined) =>
  z.string().check(
    z.superRefine((value, context) => {
      const message = value === '' ? empty : pathProblem(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  );

/** Where an engine is mounted, without the slash at its end: `secret`, `team/kv`. */
export const mountPath = pathOf('Choose where to store the secret.');
/** A secret below its mount: `app/db`. */
export const secretPath = pathOf('Enter a path.');
/** A folder below its mount, without the slash at its end; empty for the mount itself. */
export const folderPath = pathOf(undefined);

/** The number of a version, from 1. */
export const versionNumber = z
  .int('A version must be a whole number, 1 or greater.')
  .check(z.gte(1), z.lte(2 ** 31));
export const versionNumbers = z
  .array(versionNumber)
  .check(
    z.minLength(1, 'Choose at least one version.'),
    z.maxLength(10_000, 'Choose up to 10,000 versions.'),
  );

/**
 * The data of a secret as the text of a JSON object: numbers beyond 2^53, the order of keys, keys that occur twice and
 * `__proto__` come back as they were written.
 */
export const dataText = asSecret(z.string());

export const environmentParams = z.strictObject({ environment: environmentId });
export const mountParams = z.strictObject({ environment: environmentId, mount: mountPath });
export const secretParams = z.strictObject({
  environment: environmentId,
  /** With its slashes; one segment of the address. */
  mount: mountPath,
  /** With its slashes; one segment of the address. */
  path: secretPath,
});

/** What any operation that asks the secrets server may meet. */
export const readErrors = [
  'unauthenticated',
  'not-connected',
  'forbidden',
  'not-found',
  'invalid-request',
  'rate-limited',
  'service-sealed',
  'service-standby',
  'service-unavailable',
  'service-timeout',
  'bad-answer',
] as const satisfies readonly ProblemCode[];

/** The same of one that changes something. */
export const changeErrors = [...readErrors, 'outcome-unknown'] as const;

/** The same of one that carries the revision that the person saw. */
export const guardedErrors = [...changeErrors, 'conflict', 'revision-required'] as const;
