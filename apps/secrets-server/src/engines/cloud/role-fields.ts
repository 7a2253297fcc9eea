import type { Body } from '../../core/body.ts';
import { checkPairs, durationField, jsonTextField, textField, textListField } from '../../core/fields.ts';
import { badRequest, quoted } from '../../core/refusal.ts';
import { compactDocument } from '../../domain/cloud/policy-document.ts';
import { emptyRole, faultsOf, roleOfLegacy } from '../../domain/cloud/role.ts';
import type { CloudRole } from '../../domain/cloud/role.ts';

/** The fields of a role in a body. */
export const roleFields = [
  'credential_type',
  'role_arns',
  'policy_arns',
  'policy_document',
  'iam_groups',
  'iam_tags',
  'session_tags',
  'external_id',
  'default_sts_ttl',
  'max_sts_ttl',
  'user_path',
  'permissions_boundary_arn',
];
/** The fields of earlier versions, each of which replaces a whole role. */
export const legacyFields = ['policy', 'arn'];

/** The maximum number of a list's items; the providers' limits are far lower. */
const mostItems = 256;

/**
 * The maximum number of a policy document's members and elements, which take about 5 ms. The provider accepts documents
 * of at most 10,240 characters without whitespace.
 */
const mostMembers = 5_000;

/** A changed role, with warnings. */
export interface WrittenRole {
  readonly role: CloudRole;
  readonly warnings: readonly string[];
}

/**
 * Reads the fields of a role in a body.
 * @returns applies them to a role, whose others stay the same, as a write has time to @throws Refusal 400
 * @throws Refusal 400
 */
export function roleOf(body: Body): (now: CloudRole | undefined) => WrittenRole {
  const has = (name: string): boolean => body.values[name] !== undefined && body.values[name] !== null;
  const [legacy, ...more] = legacyFields
    .map((name) => jsonTextField(body, name, mostMembers) ?? '')
    .filter((text) => text !== '');
  const written = roleFields.find(has);
  if (legacy !== undefined) {
    if (written !== undefined) {
      const what = written === 'credential_type' ? 'an explicit credential_type' : written;
      throw badRequest(`cannot supply deprecated role or policy parameters with ${what}`);
    }
    if (more.length > 0) throw badRequest('cannot supply both policy and arn');
    const role = roleOfLegacy(legacy);
    if (role.invalidData !== '') throw badRequest(`unable to parse supplied data: ${quoted(legacy)}`);
    const warnings = [
      'Detected use of legacy role or policy parameter. Please upgrade to use the new parameters.',
    ];
    return () => ({ role, warnings });
  }
  const text = (name: string): string | undefined => textField(body, name)?.trim();
  const list = (name: string): readonly string[] | null | undefined => {
    const items = textListField(body, name);
    if (items === undefined) return undefined;
    if (items.length > mostItems) throw badRequest(`${name} has more than ${mostItems} items`);
    return items.length === 0 ? null : [...new Set(items)];
  };
  const type = text('credential_type') ?? '';
  const given = {
    credentialTypes: type === '' ? undefined : [type],
    roleArns: list('role_arns'),
    policyArns: list('policy_arns'),
    policyDocument: documentOf(jsonTextField(body, 'policy_document', mostMembers)),
    iamGroups: list('iam_groups'),
    iamTags: has('iam_tags') ? tagsOf(body, 'iam_tags') : undefined,
    sessionTags: has('session_tags') ? tagsOf(body, 'session_tags') : undefined,
    externalId: text('external_id'),
    defaultStsTtl: durationField(body, 'default_sts_ttl'),
    maxStsTtl: durationField(body, 'max_sts_ttl'),
    userPath: text('user_path'),
    permissionsBoundaryArn: text('permissions_boundary_arn'),
  };
  return (now) => {
    const base = now ?? emptyRole;
    const role: CloudRole = {
      credentialTypes: or(given.credentialTypes, base.credentialTypes),
      roleArns: or(given.roleArns, base.roleArns),
      policyArns: or(given.policyArns, base.policyArns),
      policyDocument: or(given.policyDocument, base.policyDocument),
      iamGroups: or(given.iamGroups, base.iamGroups),
      iamTags: or(given.iamTags, base.iamTags),
      sessionTags: or(given.sessionTags, base.sessionTags),
      externalId: or(given.externalId, base.externalId),
      defaultStsTtl: or(given.defaultStsTtl, base.defaultStsTtl),
      maxStsTtl: or(given.maxStsTtl, base.maxStsTtl),
      userPath: or(given.userPath, base.userPath),
      permissionsBoundaryArn: or(given.permissionsBoundaryArn, base.permissionsBoundaryArn),
      legacy: false,
      invalidData: '',
    };
    const faults = faultsOf(role);
    if (faults.length > 0) throw badRequest(`error(s) validating supplied role data: ${faults.join('; ')}`);
    return {
      role,
      warnings:
        base.invalidData === ''
          ? []
          : [`Invalid data of ${JSON.stringify(base.invalidData)} cleared out of role`],
    };
  };
}

function or<Value>(given: Value | undefined, unchanged: Value): Value {
  return given === undefined ? unchanged : given;
}

function documentOf(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return given;
  const compact = compactDocument(given);
  if ('fault' in compact) {
    throw badRequest(`cannot parse policy document: ${compact.fault || quoted(given)}`);
  }
  return compact.document;
}

/** Parses tags: a map, a list of `key=value`, a text of those with commas, or the JSON text of a map. */
function tagsOf(body: Body, name: 'iam_tags' | 'session_tags'): Readonly<Record<string, string>> | null {
  const value = body.values[name];
  const text = typeof value === 'string' ? textField(body, name) : undefined;
  const map = text?.trimStart().startsWith('{') === true ? mapIn(text) : value;
  const pairs =
    typeof map === 'object' && map !== null && !Array.isArray(map)
      ? Object.entries(map).map(([key, text]): [string, unknown] => [key, text])
      : (textListField(body, name) ?? []).map((pair): [string, unknown] => {
          const at = pair.indexOf('=');
          return at < 1 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)];
        });
  const tags = pairs.map(([key, given]): [string, string] => {
    const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
    if (key === '' || typeof text !== 'string') {
      throw badRequest(
        `Field validation failed: error converting input for field "${name}": not a list of key=value`,
      );
    }
    return [key, text];
  });
  checkPairs(tags, name);
  return tags.length === 0 ? null : Object.fromEntries(tags);
}

/** Parses a JSON text; undefined if it is invalid. */
function mapIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
