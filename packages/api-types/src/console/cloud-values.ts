/** Values for lists and forms of cloud roles, without the schemas. */
import { wholeSeconds } from './read-duration.ts';

export const cloudCredentialTypes = ['iam_user', 'assumed_role', 'federation_token'] as const;
export type CloudCredentialType = (typeof cloudCredentialTypes)[number];

/** The fields of roles besides their type. */
export const cloudRoleFieldNames = [
  'role_arns',
  'policy_arns',
  'policy_document',
  'iam_groups',
  'iam_tags',
  'external_id',
  'session_tags',
  'default_sts_ttl',
  'max_sts_ttl',
  'user_path',
  'permissions_boundary_arn',
] as const;
export type CloudRoleField = (typeof cloudRoleFieldNames)[number];

/** Fields of all types. */
export const commonRoleFields: readonly CloudRoleField[] = ['policy_arns', 'policy_document', 'iam_groups'];

/** Fields of each type. */
export const cloudRoleFieldsOf: Readonly<Record<CloudCredentialType, readonly CloudRoleField[]>> = {
  iam_user: [...commonRoleFields, 'iam_tags', 'user_path', 'permissions_boundary_arn'],
  assumed_role: [
    'role_arns',
    'external_id',
    ...commonRoleFields,
    'session_tags',
    'default_sts_ttl',
    'max_sts_ttl',
  ],
  federation_token: [...commonRoleFields, 'default_sts_ttl', 'max_sts_ttl'],
};

/** Most characters of a session's name; servers truncate longer ones. */
export const sessionNameLimit = 64;

/** Whole seconds of a duration such as `90s`, `1h30m` or `3600`; undefined for other text or fractions of a second. */
export function secondsOf(text: string): number | undefined {
  // The cloud engine accepts neither days nor milliseconds.
  return /d|ms/.test(text) ? undefined : wholeSeconds(text);
}

/** A duration in the largest possible units: `1h30m`; empty for 0 seconds. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join('');
}

/**
 * Whether a pattern of IAM with `*` and `?` matches an action, in any case, in time proportional to the product of their
 * lengths.
 */
export function isActionLike(action: string, typed: string): boolean {
  const [name, pattern] = [action.toLowerCase(), typed.toLowerCase()];
  let [at, from, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[from] === '*') [star, resume, from] = [from, at, from + 1];
    else if (pattern[from] === '?' || pattern[from] === name[at]) [at, from] = [at + 1, from + 1];
    else if (star === -1) return false;
    else [resume, at, from] = [resume + 1, resume + 1, star + 1];
  }
  return /^\**$/.test(pattern.slice(from));
}
