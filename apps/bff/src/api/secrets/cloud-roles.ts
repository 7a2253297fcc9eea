/** Roles of a cloud engine as the console sees them, and as servers are sent them. */
import {
  fieldsOfCloudRole,
  roleProblems,
  type CloudRole,
  type CloudRoleFields,
  type CloudRoleSummary,
} from '@gatehouse/api-types/console/cloud-roles';
import {
  cloudCredentialTypes,
  cloudRoleFieldNames,
  cloudRoleFieldsOf,
  secondsOf,
} from '@gatehouse/api-types/console/cloud-values';
import { compactPolicy, policyValue, prettyPolicy } from '@gatehouse/api-types/console/policy-text';
import { hashOf, sorted } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { cloudPolicyPath, readRole, type RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { isNothing } from './is-nothing.ts';

type WireRole = NonNullable<Awaited<ReturnType<typeof readRole>>>;

/** A role, without what the caller may do. @returns null where there is none */
export async function readCloudRole(caller: SecretsCaller, place: RolePlace): Promise<CloudRole | null> {
  const role = await readRole(caller, place);
  return role === null ? null : roleOf(place, role);
}

function roleOf({ mount, role: name }: RolePlace, role: WireRole): CloudRole {
  const {
    credential_type,
    role_arns,
    policy_arns,
    policy_document,
    iam_groups,
    iam_tags,
    session_tags,
    external_id,
    default_sts_ttl,
    max_sts_ttl,
    user_path,
    permissions_boundary_arn,
    invalid_data,
    policy,
    arn,
    ...other
  } = role;
  const isKnown = cloudCredentialTypes.some((type) => type === credential_type);
  return {
    mount,
    name,
    revision: hashOf(role),
    credential_type,
    role_arns,
    policy_arns,
    policy_document: prettyPolicy(policy_document),
    iam_groups,
    iam_tags,
    session_tags,
    external_id,
    default_sts_ttl,
    max_sts_ttl,
    user_path,
    permissions_boundary_arn,
    legacy: !isKnown || !isNothing(policy) || !isNothing(arn),
    invalid_data: textOf(invalid_data),
    other,
    may: null,
  };
}

function textOf(value: unknown): string {
  if (isNothing(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** What lists show of a role; nothing but its name where the rest may not be read. */
export function summaryOf(name: string, role: WireRole | null): CloudRoleSummary {
  return {
    name,
    credential_type: role?.credential_type ?? null,
    role_arns: role?.role_arns ?? null,
    policy_arns: role?.policy_arns ?? null,
    iam_groups: role?.iam_groups ?? null,
    has_policy_document: role === null ? null : role.policy_document !== '',
    default_sts_ttl: role?.default_sts_ttl ?? null,
    max_sts_ttl: role?.max_sts_ttl ?? null,
  };
}

/** What the caller may do with a role; null where the server does not tell. */
export async function mayWithRole(
  caller: SecretsCaller,
  { mount, role }: RolePlace,
): Promise<CloudRole['may']> {
  const at = cloudPolicyPath(mount, 'roles', role);
  const creds = cloudPolicyPath(mount, 'creds', role);
  const sts = cloudPolicyPath(mount, 'sts', role);
  const leases = `sys/leases/lookup/${creds}`;
  const revoke = 'sys/leases/revoke';
  const prefix = `sys/leases/revoke-prefix/${creds}`;
  const found = await readCapabilities(caller, [at, creds, sts, leases, `${leases}/`, revoke, prefix]);
  if (found === null) return null;
  const may = (path: string, ...words: readonly string[]): boolean => allows(found.get(path), ...words);
  return {
    read: may(at, 'read'),
    update: may(at, 'update', 'create'),
    delete: may(at, 'delete'),
    generate: may(creds, 'read') || may(sts, 'read'),
    // Both of these ask for `sudo` beside the right itself.
    list_leases: [leases, `${leases}/`].some((path) => may(path, 'sudo') && may(path, 'list')),
    revoke_leases:
      may(revoke, 'update', 'create') || (may(prefix, 'sudo') && may(prefix, 'update', 'create')),
  };
}

/** Fields as a server takes them. */
function wireOf(fields: CloudRoleFields): Readonly<Record<keyof CloudRoleFields, unknown>> {
  return {
    ...fields,
    policy_document: compactPolicy(fields.policy_document),
    iam_tags: tagsOf(fields.iam_tags),
    session_tags: tagsOf(fields.session_tags),
    default_sts_ttl: secondsOf(fields.default_sts_ttl) ?? 0,
    max_sts_ttl: secondsOf(fields.max_sts_ttl) ?? 0,
  };
}

/** Tags as entries `key=value`; a key with "=" in it needs the other form that servers take. */
function tagsOf(tags: CloudRoleFields['iam_tags']): unknown {
  const entries = Object.entries(tags);
  if (entries.some(([key]) => key.includes('='))) return tags;
  return entries.map(([key, value]) => `${key}=${value}`);
}

const isUnset = (value: unknown): boolean => isNothing(value) || value === 0;

/**
 * What a server is sent to create a role: all that its type has, what is empty too, for a server keeps what is there by
 * then; and nothing that its type does not have.
 */
export function newRoleBody(fields: CloudRoleFields): Record<string, unknown> {
  const { credential_type } = fields;
  const wire = wireOf(fields);
  const own = cloudRoleFieldsOf[credential_type];
  return { credential_type, ...Object.fromEntries(own.map((name) => [name, wire[name]])) };
}

/**
 * What a server is sent to change a role. A server may keep what it isn't sent, or forget it: so all that the type has is
 * sent, fields that the console does not know as well, and what is to be empty by now. But for a policy document that stays:
 * servers keep it, and one that they would refuse today need not be changed for another field.
 */
export function changedRoleBody(fields: CloudRoleFields, stored: CloudRole): Record<string, unknown> {
  const { credential_type: type } = fields;
  const wire = wireOf(fields);
  const before = wireOf(fieldsOfCloudRole(stored));
  const body = Object.fromEntries(Object.entries(stored.other).filter(([, value]) => !isNothing(value)));
  body['credential_type'] = type;
  for (const name of cloudRoleFieldNames) {
    if (name === 'policy_document' && fields.policy_document === stored.policy_document) continue;
    const value = cloudRoleFieldsOf[type].includes(name) ? wire[name] : emptyOf(wire[name]);
    if (!isUnset(value) || !isUnset(before[name])) body[name] = value;
  }
  return body;
}

function emptyOf(value: unknown): unknown {
  if (typeof value === 'object') return [];
  return typeof value === 'number' ? 0 : '';
}

/** Whether a role has the values that were sent, but for what is known to be ignored, however a server writes them. */
export function hasRoleFields(stored: CloudRole, sent: Partial<CloudRoleFields>): boolean {
  const type = cloudCredentialTypes.find(
    (known) => known === (sent.credential_type ?? stored.credential_type),
  );
  if (type === undefined || stored.credential_type !== type) return false;
  const kept: Readonly<Record<string, unknown>> = comparable(fieldsOfCloudRole(stored));
  const wanted: Readonly<Record<string, unknown>> = comparable({ ...fieldsOfCloudRole(stored), ...sent });
  const { not_kept: ignored = [] } = stored;
  return cloudRoleFieldsOf[type].every(
    (name) =>
      ignored.some((one) => one === name) || JSON.stringify(kept[name]) === JSON.stringify(wanted[name]),
  );
}

function comparable(fields: CloudRoleFields): Readonly<Record<string, unknown>> {
  return {
    ...wireOf({ ...fields, policy_document: '' }),
    policy_document: sortedPolicy(fields.policy_document),
    iam_tags: sorted(fields.iam_tags),
    session_tags: sorted(fields.session_tags),
    role_arns: fields.role_arns.toSorted(),
    policy_arns: fields.policy_arns.toSorted(),
    iam_groups: fields.iam_groups.toSorted(),
    // The server's own default.
    user_path: fields.user_path || '/',
  };
}

/** The same for documents that mean the same; a text that can't be printed faithfully is only the same as itself. */
function sortedPolicy(text: string): unknown {
  const value = policyValue(text);
  return value === undefined ? compactPolicy(text) : sorted(value);
}

/**
 * A stored role with the names of fields that were sent and that it lacks: servers without a field ignore it.
 * @param before the role that the write was sent over: a server has the fields that this one has
 */
export function withNotKept(
  stored: CloudRole,
  sent: Partial<CloudRoleFields>,
  before?: CloudRole,
): CloudRole {
  const isEmpty = (value: string | object = ''): boolean => Object.keys(value).length === 0;
  const lost = (['external_id', 'session_tags'] as const).filter(
    (name) => !isEmpty(sent[name]) && isEmpty(stored[name]) && isEmpty(before?.[name]),
  );
  return lost.length === 0 ? stored : { ...stored, not_kept: lost };
}

/** @throws ProblemError `invalid-request` for fields that do not go together, by field */
export function checkRoleFields(caller: SecretsCaller, fields: CloudRoleFields): void {
  const problems = roleProblems(fields).map(({ field, message }) => ({ path: field, message }));
  const [first] = problems;
  if (first === undefined) return;
  const { environment, service } = caller.transport;
  throw new ProblemError('invalid-request', first.message, { environment, service, fields: problems });
}
