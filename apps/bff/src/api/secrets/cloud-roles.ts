/** Maps roles of a cloud engine between the servers' format and the console's. */
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

/** A role, without what the caller may do. @returns null if the role doesn't exist */
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

/** A role as an item of a list, with only its name if the caller may not read the rest. */
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

/** What the caller may do with a role; null if the server doesn't report it. */
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
    // Listing leases and revoking by prefix require `sudo` in addition to the capability.
    list_leases: [leases, `${leases}/`].some((path) => may(path, 'sudo') && may(path, 'list')),
    revoke_leases:
      may(revoke, 'update', 'create') || (may(prefix, 'sudo') && may(prefix, 'update', 'create')),
  };
}

/** Fields in the server's format. */
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

/** Tags as `key=value` entries, or as an object if a key contains "=". */
function tagsOf(tags: CloudRoleFields['iam_tags']): unknown {
  const entries = Object.entries(tags);
  if (entries.some(([key]) => key.includes('='))) return tags;
  return entries.map(([key, value]) => `${key}=${value}`);
}

const isUnset = (value: unknown): boolean => isNothing(value) || value === 0;

/**
 * The body that creates a role: all fields of its type, including empty ones because a server keeps what already
 * exists, and no others.
 */
export function newRoleBody(fields: CloudRoleFields): Record<string, unknown> {
  const { credential_type } = fields;
  const wire = wireOf(fields);
  const own = cloudRoleFieldsOf[credential_type];
  return { credential_type, ...Object.fromEntries(own.map((name) => [name, wire[name]])) };
}

/**
 * The body that changes a role. A server may keep or drop fields that aren't sent, so the body has all fields of the
 * type, fields that the console doesn't know, and fields to be emptied. An unchanged policy document is left out:
 * servers keep it, and might refuse it today.
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

/** Whether a role has the sent values in any notation, except fields that the server is known to ignore. */
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
    // The server's default.
    user_path: fields.user_path || '/',
  };
}

/** Equal for documents with the same meaning; for an unprintable text, equal only to the same text. */
function sortedPolicy(text: string): unknown {
  const value = policyValue(text);
  return value === undefined ? compactPolicy(text) : sorted(value);
}

/**
 * Adds the names of sent fields that the stored role lacks, because servers ignore fields that they don't know.
 * @param before the role before the write: a server has all the fields that this role has
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

/** @throws ProblemError `invalid-request` for fields that don't go together, by field */
export function checkRoleFields(caller: SecretsCaller, fields: CloudRoleFields): void {
  const problems = roleProblems(fields).map(({ field, message }) => ({ path: field, message }));
  const [first] = problems;
  if (first === undefined) return;
  const { environment, service } = caller.transport;
  throw new ProblemError('invalid-request', first.message, { environment, service, fields: problems });
}
