import { compactDocument } from './policy-document.ts';

export type CredentialType = 'iam_user' | 'assumed_role' | 'federation_token';

/** A role of a cloud engine. Lists and maps are null if they were not set. */
export interface CloudRole {
  /**
   * One type; two for a legacy role with a policy, where the path selects the type. Unknown words are possible;
   * `faultsOf` refuses them.
   */
  readonly credentialTypes: readonly string[];
  readonly roleArns: readonly string[] | null;
  readonly policyArns: readonly string[] | null;
  /** JSON without whitespace; empty for no document. */
  readonly policyDocument: string;
  readonly iamGroups: readonly string[] | null;
  readonly iamTags: Readonly<Record<string, string>> | null;
  readonly sessionTags: Readonly<Record<string, string>> | null;
  /** The external ID that an assumed role's trust policy may require; empty for none. */
  readonly externalId: string;
  /** In seconds; 0 if not set. */
  readonly defaultStsTtl: number;
  readonly maxStsTtl: number;
  readonly userPath: string;
  readonly permissionsBoundaryArn: string;
  /**
   * Whether the role was written with `policy` or `arn`. Then `creds` and `sts` issue different types of credentials.
   */
  readonly legacy: boolean;
  /** A legacy role's text that could not be parsed; otherwise empty. */
  readonly invalidData: string;
}

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

/**
 * Reads a role in the format of earlier versions: a policy, or the ARN of a policy or a role. Any other text becomes
 * `invalidData`.
 */
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

/** Validates a role and returns the error messages. */
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

/** The paths that issue credentials. */
export type CredentialPath = 'creds' | 'sts';

/**
 * The type of the credentials that a role issues at a path.
 * @returns `{ refusal }` with the reason if the role issues none there
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
 * The lifetime of temporary credentials in seconds.
 * @param wished the requested lifetime; 0 for none
 * @param most the mount's maximum
 */
export function stsTtl(role: CloudRole, wished: number, most: number): number {
  const ttl = wished > 0 ? wished : role.defaultStsTtl > 0 ? role.defaultStsTtl : 3600;
  return Math.min(ttl, role.maxStsTtl > 0 ? role.maxStsTtl : most);
}
