/** Formats of mounts, paths and versions of secrets, and common parts of all operations on secrets. */
import * as z from 'zod/mini';
import { asSecret } from './field-kinds.ts';
import { line } from './line.ts';
import { pathProblem } from './path-problem.ts';
import type { ProblemCode } from './problem.ts';
import { environmentId } from './service.ts';

/** The largest JSON text of a secret's data, in bytes of UTF-8. */
export const dataLimitBytes = 4 * 1024 * 1024;

/** Most values of a secret's data, including nested ones; the built-in secrets server accepts no more. */
export const dataValuesLimit = 20_000;

/** Largest body with one secret: its text as a JSON string, in which every quote takes two bytes. */
export const dataBodyLimitBytes = 2 * dataLimitBytes + 64 * 1024;

const pathOf = (empty: string | undefined) =>
  z.string().check(
    z.superRefine((value, context) => {
      const message = value === '' ? empty : pathProblem(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  );

/** An engine's mount path without a trailing slash: `secret`, `team/kv`. */
export const mountPath = pathOf('Choose where to store the secret.');
/** The path of an engine to mount. Other clients would have to escape a space. */
export const newMountPath = mountPath.check(z.regex(/^\S*$/u, "A mount path can't contain spaces."));
/** An engine's description. */
export const mountDescription = line('A description', 500);
/** Whether the caller can mount an engine somewhere; null if the server doesn't report it. */
export const mayMount = z.nullable(z.boolean());
/** A secret's path relative to its mount: `app/db`. */
export const secretPath = pathOf('Enter a path.');
/** A folder's path relative to its mount, without a trailing slash; empty for the mount itself. */
export const folderPath = pathOf(undefined);

/** The first names of fields, and how many there are. */
export const namedFields = z.object({ names: z.array(z.string()), count: z.int() });
export type NamedFields = z.output<typeof namedFields>;

/** A version number, from 1. */
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
 * A secret's data as a JSON object's text, which preserves numbers beyond 2^53, the order of keys, duplicate keys and
 * `__proto__`.
 */
export const dataText = asSecret(z.string());

export const environmentParams = z.strictObject({ environment: environmentId });
export const mountParams = z.strictObject({ environment: environmentId, mount: mountPath });
export const secretParams = z.strictObject({
  environment: environmentId,
  /** Including slashes; one segment of the address. */
  mount: mountPath,
  /** Including slashes; one segment of the address. */
  path: secretPath,
});

/** Problems of any operation that reads from the secrets server. */
export const readErrors = [
  'unauthenticated',
  'not-connected',
  'no-access',
  'forbidden',
  'not-found',
  'invalid-request',
  'payload-too-large',
  'rate-limited',
  'service-sealed',
  'service-standby',
  'service-unavailable',
  'service-timeout',
  'bad-answer',
] as const satisfies readonly ProblemCode[];

/** `readErrors` plus those of changes. */
export const changeErrors = [...readErrors, 'outcome-unknown'] as const;

/** `changeErrors` plus those of guarded operations. */
export const guardedErrors = [...changeErrors, 'conflict', 'revision-required'] as const;
