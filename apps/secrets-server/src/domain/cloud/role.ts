import { compactDocument } from './policy-document.ts';

/** Which kind of credentials a role gives. */
export type CredentialType = 'iam_user' | 'assumed_role' | 'federation_token';

/** What a role gives credentials by. Lists are null where nothing was set. */
export interface CloudRole {
  /** One; a legacy role with a policy has two, between which the path decides. Words that are no type are refused. */
  readonly credentialTypes: readonly string[];
  readonly roleArns: readonly string[] | null;
  readonly policyArns: readonly string[] | null;
  /** JSON without spaces; empty for none. */
  readonly policyDocument: string;
  readonly iamGroups: readonly string[] | null;
  readonly iamTags: Readonly<Record<string, string>> | null;
  /** Tags of the session of an assumed role. */
  readonly sessionTags: Readonly<Record<string, string>> | null;
  /** What the trust policy of an assumed role may require; empty for none. */
  readonly externalId: string;
  /** Seconds; 0 where not set. */
  readonly defaultStsTtl: number;
  readonly maxStsTtl: number;
  readonly userPath: string;
  readonly permissionsBoundaryArn: string;
  /** Written with `policy` or `arn`: creds and sts give different kinds of credentials. */
  readonly legacy: boolean;
  /** What an earlier version kept and nobody can read; empty otherwise. */
  readonly invalidData: string;
}

/** A role before anything is set. */
export const emptyRole: CloudRole = {
  credentialTypes: [],
  roleArns: null,
  policyArns: null,
  policyDocument: '',
  iamGroups: null,
  iamTags: null,
  sessionTags: null,
  externalId: '',
  defaultStsTtl: 0,
  maxStsTtl: 0,
  userPath: '',
  permissionsBoundaryArn: '',
  legacy: false,
  invalidData: '',
};

/** A policy, or the ARN of a policy or a role, in the form of earlier versions; `invalidData` when it is neither. */
export function roleOfLegacy(text: string): CloudRole {
  const role: CloudRole = { ...emptyRole, legacy: true };
  if (text.startsWith('arn:')) {
    const [, , , , , ...resource] = text.split(':');
    const kind = resource.join(':').split('/')[0];
    if (kind === 'role') return { ...role, credentialTypes: ['assumed_role'], roleArns: [text] };
    if (kind === 'policy') return { ...role, credentialTypes: ['iam_user'], policyArns: [text] };
    return { ...role, invalidData: text };
  }
  const compact = compactDocument(text);
  if ('fault' in compact) return { ...role, invalidData: text };
  return { ...role, credentialTypes: ['iam_user', 'federation_token'], policyDocument: compact.document };
}

const allTypes: ReadonlySet<string> = new Set<CredentialType>([
  'iam_user',
  'assumed_role',
  'federation_token',
]);
const userPathPattern = '^\\/([\\x21-\\x7F]{0,510}\\/)?$';

/** What is wrong with a role, in the words of the field; empty when nothing is. */
export function faultsOf(role: CloudRole): string[] {
  const { credentialTypes: types } = role;
  const faults: string[] = [];
  const refuseIf = (wrong: boolean, message: string): void => {
    if (wrong) faults.push(message);
  };
  const has = (type: CredentialType): boolean => types.includes(type);
  const temporary = has('assumed_role') || has('federation_token');

  refuseIf(types.length === 0, 'did not supply credential_type');
  for (const type of types) refuseIf(!allTypes.has(type), `unrecognized credential type: ${type}`);
  if (faults.length > 0) return faults;

  for (const [name, value] of [
    ['default_sts_ttl', role.defaultStsTtl],
    ['max_sts_ttl', role.maxStsTtl],
  ] as const) {
    refuseIf(
      value !== 0 && !temporary,
      `${name} parameter only valid for assumed_role and federation_token credential types`,
    );
    refuseIf(value < 0, `${name} must not be negative`);
  }
  refuseIf(
    role.maxStsTtl > 0 && role.defaultStsTtl > role.maxStsTtl,
    '"default_sts_ttl" value must be less than or equal to "max_sts_ttl" value',
  );
  if (role.userPath !== '') {
    refuseIf(!has('iam_user'), 'user_path parameter only valid for iam_user credential type');
    refuseIf(
      !new RegExp(userPathPattern).test(role.userPath),
      `The specified value for user_path is invalid. It must match ${JSON.stringify(userPathPattern)} regexp`,
    );
  }
  refuseIf(
    role.permissionsBoundaryArn !== '' && !has('iam_user'),
    "cannot supply permissions_boundary_arn when credential_type isn't iam_user",
  );
  refuseIf(
    role.permissionsBoundaryArn !== '' &&
      !/^arn:[^:]+:iam:[^:]*:[^:]*:policy\/./.test(role.permissionsBoundaryArn),
    'invalid permissions_boundary_arn parameter: a policy is written such as arn:aws:iam::123456789012:policy/boundary',
  );
  const roleArns = role.roleArns ?? [];
  refuseIf(
    roleArns.length > 0 && !has('assumed_role'),
    "cannot supply role_arns when credential_type isn't assumed_role",
  );
  refuseIf(
    role.sessionTags !== null && !has('assumed_role'),
    "cannot supply session_tags when credential_type isn't assumed_role",
  );
  refuseIf(
    role.externalId !== '' && !has('assumed_role'),
    "cannot supply external_id when credential_type isn't assumed_role",
  );
  refuseIf(
    has('assumed_role') && roleArns.length === 0,
    'did not supply role_arns, which credential_type assumed_role requires',
  );
  refuseIf(
    (has('iam_user') || has('federation_token')) &&
      role.policyDocument === '' &&
      (role.policyArns ?? []).length === 0,
    `did not supply policy_arns or policy_document, one of which credential_type ${types.join(',')} requires`,
  );
  return faults;
}

/** Which of the two paths credentials are asked at. */
export type CredentialPath = 'creds' | 'sts';

/**
 * Which kind of credentials a role gives at a path.
 * @returns why it gives none there, as `{ refusal }`
 */
export function credentialTypeAt(
  role: CloudRole,
  path: CredentialPath,
): CredentialType | { readonly refusal: string } {
  const types = role.credentialTypes as readonly CredentialType[];
  const [first] = types;
  if (first === undefined) return { refusal: 'the role holds invalid data; write it with a credential_type' };
  const type = types.length === 1 ? first : path === 'creds' ? 'iam_user' : 'federation_token';
  if (role.legacy && (type === 'iam_user') !== (path === 'creds')) {
    return {
      refusal: `attempted to retrieve ${type} credentials through the ${path} path; this is not allowed for legacy roles`,
    };
  }
  return type;
}

/**
 * Seconds that temporary credentials are asked for.
 * @param wished 0 when nothing was
 * @param most of the mount
 */
export function stsTtl(role: CloudRole, wished: number, most: number): number {
  const ttl = wished > 0 ? wished : role.defaultStsTtl > 0 ? role.defaultStsTtl : 3600;
  return Math.min(ttl, role.maxStsTtl > 0 ? role.maxStsTtl : most);
}
