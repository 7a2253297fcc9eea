/** What lists and forms of cloud roles need, without the schemas. */
import { wholeSeconds } from './read-duration.ts';

export const cloudCredentialTypes = ['iam_user', 'assumed_role', 'federation_token'] as const;
export type CloudCredentialType = (typeof cloudCredentialTypes)[number];

/** The fields of roles, beside their type. */
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

/** Those that roles of every type have. */
export const commonRoleFields: readonly CloudRoleField[] = ['policy_arns', 'policy_document', 'iam_groups'];

/** Those that roles of each type have. */
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

/** Characters of a session's name at most: servers cut what is longer. */
export const sessionNameLimit = 64;

/**
 * Whole seconds of a length of time such as `90s`, `1h30m` or `3600`; undefined for any other text, and for one with parts
 * of a second.
 */
export function secondsOf(text: string): number | undefined {
  // The cloud engine knows neither days nor milliseconds.
  return /d|ms/.test(text) ? undefined : wholeSeconds(text);
}

/** Whole seconds in the largest units: `1h30m`; empty for 0. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join('');
}
