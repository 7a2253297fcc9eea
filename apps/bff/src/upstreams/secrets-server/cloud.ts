/** Cloud credentials engines: root credentials, lease times, roles, and the credentials that roles issue. */
import {
  cloudCredential,
  cloudLeaseSettings,
  cloudRole,
  cloudRoot,
  cloudRootRotated,
  keys,
  type WireCloudCredential,
  type WireCloudRole,
  type WireCloudRoot,
} from '@gatehouse/api-types/services/secrets-server';
import { buildPath, namesIn } from '../path.ts';
import type { SecretsCaller } from './client.ts';
import { ask, askFor, providerDeadline, type RefusalRule } from './refusals.ts';

/** Identifies a role of an engine. */
export interface RolePlace {
  readonly mount: string;
  readonly role: string;
}

function enginePath(
  { transport }: SecretsCaller,
  mount: string,
  names: readonly string[],
  query: Readonly<Record<string, string | boolean | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1`, [...namesIn(mount), ...names], { query });
}

/** The path of an engine's operation as policies name it. */
export function cloudPolicyPath(mount: string, ...names: readonly string[]): string {
  return [mount, ...names].join('/');
}

const configRules: readonly RefusalRule[] = [
  { says: /lease_max/, field: 'lease_max', means: 'The server refused this duration.' },
  { says: /\blease\b(?!_max)/, field: 'lease', means: 'The server refused this duration.' },
  { says: /max_retries/, field: 'max_retries', means: 'The server refused this number.' },
  { says: /iam_endpoint/, field: 'iam_endpoint', means: 'The server refused this address.' },
  { says: /sts_endpoint/, field: 'sts_endpoint', means: 'The server refused this address.' },
  { says: /\bregion\b/, field: 'region', means: 'The server refused this region.' },
  { says: /access_key|secret_key/, field: 'access_key', means: 'The server refused these keys.' },
];

/** @returns null if none is configured @throws ServiceError */
export async function readRoot(caller: SecretsCaller, mount: string): Promise<WireCloudRoot | null> {
  const answer = await askFor(caller, { method: 'GET', path: enginePath(caller, mount, ['config', 'root']) });
  return answer === null ? null : (await caller.transport.parse(cloudRoot, answer)).data;
}

/** Replaces the root configuration. */
export async function writeRoot(
  caller: SecretsCaller,
  mount: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = enginePath(caller, mount, ['config', 'root']);
  await ask(caller, { method: 'POST', path, body }, configRules);
}

const rotateRules: readonly RefusalRule[] = [
  {
    // Vault stores the new key before it deletes the previous one.
    says: /deleting old access key/,
    delivery: 'unknown',
    means: "The secrets server couldn't delete the previous access key at the provider.",
  },
  {
    says: /has other access keys/,
    means:
      "The root credentials' user has other access keys. To rotate this key, delete the others at the provider first.",
  },
  {
    says: /don't belong to an IAM user/,
    means: "The root credentials don't belong to an IAM user, so they can't be rotated.",
  },
  { says: /rotated already/, means: 'The root credentials are already being rotated.' },
  {
    says: /no configuration found/,
    means: 'No root credentials are configured, so there is nothing to rotate.',
  },
  {
    says: /cannot call config\/rotate-root when|without static|not static|no static|access_key is empty|either access_key or secret_key/i,
    means: "The root credentials come from the server's environment. Rotate them there.",
  },
];

/** Creates a new access key for the root credentials' user and deletes the previous one. */
export async function rotateRoot(
  caller: SecretsCaller,
  mount: string,
): Promise<{ readonly access_key: string; readonly warnings: readonly string[] }> {
  const path = enginePath(caller, mount, ['config', 'rotate-root']);
  const request = { method: 'POST', path, body: {}, deadlineMs: providerDeadline } as const;
  const answer = await ask(caller, request, rotateRules);
  const { data, warnings } = await caller.transport.parse(cloudRootRotated, answer);
  return { access_key: data.access_key, warnings: warnings ?? [] };
}

/** How long leases last, as durations in the server's format. */
export interface LeaseTimes {
  readonly lease: string;
  readonly lease_max: string;
}

/** @returns null if none are configured @throws ServiceError */
export async function readLeaseTimes(caller: SecretsCaller, mount: string): Promise<LeaseTimes | null> {
  const answer = await askFor(caller, {
    method: 'GET',
    path: enginePath(caller, mount, ['config', 'lease']),
  });
  return answer === null ? null : (await caller.transport.parse(cloudLeaseSettings, answer)).data;
}

export async function writeLeaseTimes(caller: SecretsCaller, mount: string, body: LeaseTimes): Promise<void> {
  const path = enginePath(caller, mount, ['config', 'lease']);
  await ask(caller, { method: 'POST', path, body }, configRules);
}

/** The names of the roles, sorted. */
export async function listRoles(caller: SecretsCaller, mount: string): Promise<readonly string[]> {
  const path = enginePath(caller, mount, ['roles'], { list: true });
  const answer = await askFor(caller, { method: 'GET', path });
  return answer === null ? [] : (await caller.transport.parse(keys, answer)).data.keys.toSorted();
}

/** @returns null if the role doesn't exist @throws ServiceError */
export async function readRole(caller: SecretsCaller, place: RolePlace): Promise<WireCloudRole | null> {
  const answer = await askFor(caller, { method: 'GET', path: rolePath(caller, place) });
  return answer === null ? null : (await caller.transport.parse(cloudRole, answer)).data;
}

const wrongForType = "A role of this type doesn't have this field.";

/** Why a role is refused. */
const roleRules: readonly RefusalRule[] = [
  { says: /did not supply credential_type/, field: 'credential_type', means: 'Choose a credential type.' },
  {
    says: /unrecognized credential type/,
    field: 'credential_type',
    means: "The server doesn't support this credential type.",
  },
  {
    says: /value must be less than or equal to/,
    field: 'default_sts_ttl',
    means: "The default can't exceed the maximum.",
  },
  ...['default_sts_ttl', 'max_sts_ttl', 'user_path', 'iam_tags', 'iam_groups'].map((field) => ({
    says: new RegExp(`${field} parameter only valid`),
    field,
    means: wrongForType,
  })),
  ...['role_arns', 'permissions_boundary_arn', 'external_id', 'session_tags'].map((field) => ({
    says: new RegExp(`cannot supply ${field}`),
    field,
    means: wrongForType,
  })),
  {
    says: /value for user_path is invalid/,
    field: 'user_path',
    means: 'A path must begin and end with a slash, such as /deployers/.',
  },
  {
    says: /policy_document.*more than \d+ characters/,
    field: 'policy_document',
    means: 'The policy document is too long: it can have at most 65,536 characters.',
  },
  {
    says: /policy_document.*more than \d+ members and elements/,
    field: 'policy_document',
    means: 'The policy document has too many members and elements: it can have at most 5,000.',
  },
  {
    says: /policy.document.*\b(?:twice|repeat\w*|duplicate\w*)/i,
    field: 'policy_document',
    means: 'The policy document has a duplicate key.',
  },
  {
    says: /policy.document.*\b(?:nest\w*|deep\w*|levels)/i,
    field: 'policy_document',
    means: 'The policy document is nested too deeply.',
  },
  {
    says: /parse policy document|policy_document.*(?:JSON|pars)/i,
    field: 'policy_document',
    means: "The policy document isn't valid JSON.",
  },
  {
    says: /role_arns.*(?:required|at least)|(?:did not supply|supply|requires?).*role_arns?\b/i,
    field: 'role_arns',
    means: 'Add at least one role to assume.',
  },
  {
    says: /policy_arns.*or.*policy_document|policy_document.*or.*policy_arns/i,
    field: 'policy_arns',
    means: 'Add a policy, or write a policy document.',
  },
  {
    says: /deprecated role or policy parameters/,
    means: "Parameters from an earlier server version can't be combined with current fields.",
  },
  ...[
    'default_sts_ttl',
    'max_sts_ttl',
    'permissions_boundary_arn',
    'iam_tags',
    'session_tags',
    'iam_groups',
  ].map((field) => ({ says: new RegExp(field), field, means: 'The server refused this value.' })),
];

/** Creates a role, or changes the given fields. */
export async function writeRole(
  caller: SecretsCaller,
  place: RolePlace,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ask(caller, { method: 'POST', path: rolePath(caller, place), body }, roleRules);
}

/** Deletes a role, if it exists. */
export async function deleteRole(caller: SecretsCaller, place: RolePlace): Promise<void> {
  await askFor(caller, { method: 'DELETE', path: rolePath(caller, place) });
}

function rolePath(caller: SecretsCaller, { mount, role }: RolePlace): string {
  return enginePath(caller, mount, ['roles', role]);
}

const credentialRules: readonly RefusalRule[] = [
  { says: /Role "[^"]*" not found|role .*not found/i, code: 'not-found', means: "This role doesn't exist." },
  {
    says: /not in allowed role arns/,
    field: 'role_arn',
    means: 'The role does not allow this ARN to be assumed.',
  },
  {
    says: /did not supply a role_arn|unable to determine/,
    field: 'role_arn',
    means: 'The role allows several ARNs: choose the one to assume.',
  },
  {
    says: /this is not allowed for legacy roles|attempted to retrieve/,
    field: 'from',
    means: 'A legacy role issues IAM users from its creds path, and temporary credentials from its sts path.',
  },
  { says: /role_session_name/, field: 'role_session_name', means: 'The server refused this session name.' },
  { says: /\bttl\b/i, field: 'ttl', means: 'The server refused this duration.' },
  {
    says: /no configuration found|could not find credentials|NoCredentialProviders|CredentialsProviderError|no (?:valid )?(?:root )?credentials/i,
    means: 'The engine has no root credentials: configure them first.',
  },
];

/** Parameters of the credentials to issue. */
export interface CredentialQuery {
  readonly role_arn?: string | undefined;
  readonly role_session_name?: string | undefined;
  readonly ttl?: string | undefined;
}

/**
 * Issues credentials, with a GET because most policies allow nothing else. The request is never repeated.
 * @throws ServiceError
 */
export async function issueCredential(
  caller: SecretsCaller,
  { mount, role }: RolePlace,
  from: 'creds' | 'sts',
  query: CredentialQuery,
): Promise<WireCloudCredential> {
  const path = enginePath(caller, mount, [from, role], { ...query });
  const request = { method: 'GET', path, once: true, deadlineMs: providerDeadline } as const;
  const answer = await ask(caller, request, credentialRules);
  return await caller.transport.parse(cloudCredential, answer);
}
