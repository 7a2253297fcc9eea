/** Roles of a cloud credentials engine. */
import { set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineRecord, defineResource } from '../contract.ts';
import * as at from './addresses/cloud.ts';
import { atMost } from './at-most.ts';
import { cloudCredentialTypes, durationOf, secondsOf, type CloudCredentialType } from './cloud-values.ts';
import { asStatements, policyOf } from './field-kinds.ts';
import { nestingOf, policyNesting } from './policy-text.ts';
import { changeErrors, guardedErrors, mountParams, mountPath, readErrors } from './secret-names.ts';
import { environmentId } from './service.ts';

/** The caller's rights on a role; null if the server doesn't report them. */
export const cloudRoleMay = z.nullable(
  z.object({
    read: z.boolean(),
    update: z.boolean(),
    delete: z.boolean(),
    generate: z.boolean(),
    list_leases: z.boolean(),
    revoke_leases: z.boolean(),
  }),
);

/** A role in a list; fields that the caller can't read are null. */
export const cloudRoleSummary = z.object({
  name: z.string(),
  /**
   * In the server's form: one of `cloudCredentialTypes`, or for a legacy role a list such as
   * `iam_user,federation_token`.
   */
  credential_type: z.nullable(z.string()),
  /** Number of roles, policies and groups that it refers to. */
  role_arns: z.nullable(z.array(z.string())),
  policy_arns: z.nullable(z.array(z.string())),
  iam_groups: z.nullable(z.array(z.string())),
  has_policy_document: z.nullable(z.boolean()),
  /** In seconds; 0 if not set. */
  default_sts_ttl: z.nullable(z.int()),
  max_sts_ttl: z.nullable(z.int()),
});
export type CloudRoleSummary = z.output<typeof cloudRoleSummary>;

export const cloudRole = z.object({
  mount: mountPath,
  name: z.string(),
  /** A hash of the server's answer. */
  revision: z.string(),
  credential_type: z.string(),
  role_arns: z.array(z.string()),
  policy_arns: z.array(z.string()),
  /**
   * JSON text with each statement on its own lines; empty if there is none. Left as the server has it if reformatting
   * would change it: duplicate members, rounded numbers, deep nesting.
   */
  policy_document: z.string(),
  iam_groups: z.array(z.string()),
  iam_tags: z.record(z.string(), z.string()),
  /** Tags for the sessions of an assumed role. */
  session_tags: z.record(z.string(), z.string()),
  /** The external ID that the trust policies may require; empty if there is none. */
  external_id: z.string(),
  /** In seconds; 0 if not set. */
  default_sts_ttl: z.int(),
  max_sts_ttl: z.int(),
  user_path: z.string(),
  permissions_boundary_arn: z.string(),
  /** Why it is read-only: it has an earlier server's parameters, or values that no form can show. */
  legacy: z.boolean(),
  /** Data of an earlier server that is no longer valid; empty if there is none. */
  invalid_data: z.string(),
  /** Fields of a real server that the console can't edit; kept on save. */
  other: z.record(z.string(), z.unknown()),
  /** Sent fields that the server ignored because it doesn't support them. */
  not_kept: z.optional(z.array(z.enum(['external_id', 'session_tags']))),
  may: cloudRoleMay,
});
export type CloudRole = z.output<typeof cloudRole>;

const distinct = (items: readonly string[]): boolean => new Set(items).size === items.length;
const listOf = (item: z.ZodMiniType<string, string>, most: number) =>
  z
    .array(item)
    .check(
      atMost(most, `There can be up to ${most} entries.`),
      z.refine(distinct, 'An entry is listed twice.'),
    );

/** An ARN of one IAM kind. Servers accept any, and only fail when credentials are requested. */
function arnOf(kind: keyof typeof arnExamples) {
  return z.string().check(
    z.trim(),
    z.superRefine((arn, context) => {
      const message = arnProblem(kind, arn);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  );
}

const arnExamples = {
  role: 'arn:aws:iam::123456789012:role/deploy',
  policy: 'arn:aws:iam::aws:policy/ReadOnlyAccess',
} as const;

/** A message that says what a text is instead of an ARN of the kind; undefined if it is one. */
function arnProblem(kind: keyof typeof arnExamples, arn: string): string | undefined {
  if (new RegExp(`^arn:aws[\\w-]*:iam::(?:\\d{12}|aws)?:${kind}/[\\w+=,.@/-]+$`).test(arn)) return undefined;
  const example = arnExamples[kind];
  if (arn.split('arn:').length > 2) return 'This contains more than one ARN. Enter each one separately.';
  const [, service = '', other = ''] = /^arn:aws[\w-]*:(\w+):[\w-]*:\w*:([a-z-]+)\//.exec(arn) ?? [];
  if (other === '' || other === kind) return `Enter a ${kind} such as ${example}.`;
  const what =
    service === 'iam' && (other === 'role' || other === 'policy' || other === 'user' || other === 'group')
      ? `a ${other}'s ARN`
      : `the ARN of ${/^[aeiou]/.test(other) ? 'an' : 'a'} ${other} (${service})`;
  return `This is ${what}. Enter a ${kind} such as ${example}.`;
}

const roleArn = arnOf('role');
const policyArn = arnOf('policy');

const optionalTime = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || secondsOf(text) !== undefined,
    'Enter a duration such as 45m, 1h30m or 36h, or leave it empty.',
  ),
);

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const tagsOf = (what: 'user' | 'session') =>
  z
    .record(
      z
        .string()
        .check(
          z.minLength(1, 'A tag needs a key.'),
          z.maxLength(128, 'A key must be 128 characters or fewer.'),
        ),
      z.string().check(z.maxLength(256, 'A value must be 256 characters or fewer.')),
    )
    .check(z.refine((tags) => Object.keys(tags).length <= 50, `A ${what} can have up to 50 tags.`));

const fields = {
  credential_type: z.enum(cloudCredentialTypes),
  role_arns: listOf(roleArn, 100),
  policy_arns: listOf(policyArn, 100),
  policy_document: asStatements(
    z.string().check(
      atMost(128 * 1024, 'A policy document must be 131,072 characters or fewer.'),
      z.refine((text) => text.trim() === '' || isObject(text), 'A policy document must be a JSON object.'),
      z.refine(
        (text) => nestingOf(text) <= policyNesting,
        `A policy document can have up to ${policyNesting} levels of objects and lists.`,
      ),
    ),
  ),
  iam_groups: listOf(
    z
      .string()
      .check(
        z.trim(),
        z.regex(/^[\w+=,.@-]{1,128}$/, 'A group name must be 1 to 128 letters, digits or + = , . @ _ -'),
      ),
    100,
  ),
  iam_tags: tagsOf('user'),
  session_tags: tagsOf('session'),
  external_id: z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^(?:[\w+=,.@:/-]{2,1224})?$/,
        'An external ID must be 2 to 1,224 letters, digits or + = , . @ : / _ -',
      ),
    ),
  default_sts_ttl: optionalTime,
  max_sts_ttl: optionalTime,
  user_path: z
    .string()
    .check(
      z.trim(),
      z.regex(/^(?:\/(?:[!-~]{0,510}\/)?)?$/, 'A path must begin and end with a slash, such as /deployers/.'),
    ),
  permissions_boundary_arn: z.union([z.literal(''), policyArn]),
};

interface Rules {
  readonly credential_type?: CloudCredentialType | undefined;
  readonly role_arns?: readonly string[] | undefined;
  readonly policy_arns?: readonly string[] | undefined;
  readonly policy_document?: string | undefined;
  readonly default_sts_ttl?: string | undefined;
  readonly max_sts_ttl?: string | undefined;
}

/** Messages about invalid field combinations, at most one per field. Fields that the type doesn't use are not sent. */
export function roleProblems(role: Rules): readonly { readonly field: string; readonly message: string }[] {
  const { credential_type: type, policy_document = '' } = role;
  const problems: { field: string; message: string }[] = [];
  if (type === 'assumed_role' && role.role_arns?.length === 0) {
    problems.push({ field: 'role_arns', message: 'Add at least one role to assume.' });
  }
  if (
    type !== undefined &&
    type !== 'assumed_role' &&
    role.policy_arns?.length === 0 &&
    policy_document.trim() === ''
  ) {
    problems.push({ field: 'policy_arns', message: 'Add a policy, or write a policy document.' });
  }
  const most = secondsOf(role.max_sts_ttl ?? '') ?? 0;
  if (type !== 'iam_user' && most > 0 && (secondsOf(role.default_sts_ttl ?? '') ?? 0) > most) {
    problems.push({ field: 'default_sts_ttl', message: "The default can't exceed the maximum." });
  }
  return problems;
}

const ruled = z.superRefine<Rules>((role, context) => {
  for (const { field, message } of roleProblems(role))
    context.addIssue({ code: 'custom', path: [field], message });
});

/** The fields that a user edits. */
export const cloudRoleFields = z.strictObject(fields).check(ruled);
export type CloudRoleFields = z.output<typeof cloudRoleFields>;

export const cloudRolePolicy = policyOf(cloudRoleFields, {
  groups: [{ name: 'times', fields: ['default_sts_ttl', 'max_sts_ttl'] }],
  more: { role_arns: set, policy_arns: set, iam_groups: set },
});

/** The editable fields of a stored role. */
export function fieldsOfCloudRole(from: CloudRole): CloudRoleFields {
  return {
    credential_type: cloudCredentialTypes.find((known) => known === from.credential_type) ?? 'iam_user',
    role_arns: [...from.role_arns],
    policy_arns: [...from.policy_arns],
    policy_document: from.policy_document,
    iam_groups: [...from.iam_groups],
    iam_tags: from.iam_tags,
    session_tags: from.session_tags,
    external_id: from.external_id,
    default_sts_ttl: durationOf(from.default_sts_ttl),
    max_sts_ttl: durationOf(from.max_sts_ttl),
    user_path: from.user_path,
    permissions_boundary_arn: from.permissions_boundary_arn,
  };
}

export const newCloudRole = z
  .strictObject({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'A role needs a name.'),
        atMost(128, 'A name must be 128 characters or fewer.'),
        z.regex(
          /^(?:\w(?:[\w.@-]*\w)?)?$/,
          'A name can contain letters, digits, "_", ".", "@" and "-", and must begin and end with a letter, a digit or "_".',
        ),
      ),
    ...fields,
  })
  .check(ruled);
export type NewCloudRole = z.input<typeof newCloudRole>;

/** Only the changed fields. */
export const cloudRoleChanges = z.partial(z.strictObject(fields));
export type CloudRoleChanges = z.input<typeof cloudRoleChanges>;

/** Most roles of one page: the server is asked about each of them. */
export const cloudRolePageLimit = 100;

export const cloudRoleParams = z.strictObject({
  environment: environmentId,
  mount: mountPath,
  role: z.string().check(z.minLength(1)),
});

export const cloudRoles = defineResource(() => ({
  list: defineEndpoint(at.cloudRoles.list, {
    summary: 'A page of the roles of an engine, by name',
    params: mountParams,
    query: z.strictObject({
      /** Text that the name contains, in any case. */
      q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      /** 0 unless given. */
      offset: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000_000))),
      /** 50 unless given. */
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(cloudRolePageLimit))),
    }),
    response: z.object({
      items: z.array(cloudRoleSummary),
      /** Number of roles whose name contains the text. */
      total: z.int(),
    }),
    errors: readErrors,
  }),
  ...defineRecord(at.cloudRoles, {
    place: mountParams,
    one: cloudRoleParams,
    record: cloudRole,
    fields: newCloudRole,
    changes: cloudRoleChanges,
    get: { summary: 'A role', errors: readErrors },
    create: { summary: 'Create a role', errors: [...changeErrors, 'conflict'] },
    update: {
      summary: 'Edit a role; credentials it already issued are unchanged',
      errors: guardedErrors,
    },
    delete: {
      summary: 'Delete a role; credentials that it issued last until their leases end',
      errors: guardedErrors,
    },
  }),
}));
