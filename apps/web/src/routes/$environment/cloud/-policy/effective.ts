/**
 * Describes the permissions of a cloud role's credentials. Managed policies, groups and assumed roles' policies are at
 * the provider, where the console reads nothing: they are named, but their contents are unknown.
 */
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { conditionWords } from './condition-operators.ts';

export type StatementRole = Pick<
  CloudRole,
  | 'credential_type'
  | 'role_arns'
  | 'policy_arns'
  | 'policy_document'
  | 'iam_groups'
  | 'permissions_boundary_arn'
>;

/** One sentence about a statement. */
export interface StatementWords {
  readonly effect: 'deny' | 'allow' | 'unknown';
  readonly sid: string;
  /** Such as `May read (s3:GetObject) on every object in the bucket logs`. */
  readonly sentence: string;
  /** If more than one. */
  readonly resources: readonly string[];
  /** All of them must hold. */
  readonly conditions: readonly string[];
}

/** A source of permissions, as far as known. */
export interface PermissionSource {
  readonly kind: 'role' | 'policy' | 'group' | 'boundary';
  readonly title: string;
  /** The ARN, or a group's name. */
  readonly id: string;
}

export interface EffectivePermissions {
  /** How the sources combine, in a sentence or two. */
  readonly rule: string;
  /** Whether the statements grant permissions or filter them. */
  readonly documentTitle: string;
  /** Denials first. */
  readonly statements: readonly StatementWords[];
  /** A document exists, but can't be read. */
  readonly isUnreadable: boolean;
  readonly sources: readonly PermissionSource[];
  /** What can't be known here. */
  readonly unknown: readonly string[];
}

/** The permissions of a role's credentials, as far as known. */
export function effectivePermissions(role: StatementRole): EffectivePermissions {
  const statements = statementsInWords(role.policy_document);
  const filters = [
    ...(role.policy_document === '' ? [] : ['the policy document']),
    ...(role.policy_arns.length === 0
      ? []
      : [counted(role.policy_arns.length, 'managed policy', 'managed policies')]),
    ...(role.iam_groups.length === 0 ? [] : ['the policies of its groups']),
  ];
  return {
    rule: ruleOf(role, filters),
    documentTitle: isUser(role) ? 'The policy document grants' : 'The policy document allows',
    statements: statements ?? [],
    isUnreadable: statements === undefined,
    sources: [
      ...(isUser(role) ? [] : role.role_arns).map((arn) => source('role', 'Role to assume', arn)),
      ...role.policy_arns.map((arn) => source('policy', policyTitle(arn), arn)),
      ...role.iam_groups.map((name) => source('group', `Group: ${name}`, name)),
      ...(role.permissions_boundary_arn === ''
        ? []
        : [
            source(
              'boundary',
              `Permissions boundary: ${nameInArn(role.permissions_boundary_arn)}`,
              role.permissions_boundary_arn,
            ),
          ]),
    ],
    unknown: unknownOf(role),
  };
}

/** The statements of a document, denials first; undefined if it can't be read. */
export function statementsInWords(document: string): readonly StatementWords[] | undefined {
  return statementsOf(document)
    ?.map(statementWords)
    .sort((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect));
}

const order = ['deny', 'allow', 'unknown'];
const isUser = ({ credential_type: type }: StatementRole): boolean => type.startsWith('iam_user');

const source = (kind: PermissionSource['kind'], title: string, id: string): PermissionSource => ({
  kind,
  title,
  id,
});

function counted(size: number, one: string, many: string): string {
  return size === 1 ? `a ${one}` : `${String(size)} ${many}`;
}

function joined(parts: readonly string[], word: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1) ?? ''}`;
}

function ruleOf(role: StatementRole, parts: readonly string[]): string {
  const filter = joined(parts, 'and');
  // A count of managed policies, or groups, is plural.
  const isOne = parts.length === 1 && !filter.includes('policies');
  const allows = isOne ? 'allows' : 'allow';
  switch (role.credential_type) {
    case 'iam_user': {
      const boundary =
        role.permissions_boundary_arn === ''
          ? ''
          : " The permissions boundary caps all of this: anything it doesn't allow is denied.";
      return parts.length === 0
        ? `A new IAM user without any policy. It can't do anything.${boundary}`
        : isOne
          ? `A new IAM user that can do what ${filter} allows.${boundary}`
          : `A new IAM user that can do what ${filter} allow together. A Deny in any of them wins.${boundary}`;
    }
    case 'assumed_role': {
      const roles = role.role_arns.length === 1 ? 'the assumed role' : 'the chosen role';
      return parts.length === 0
        ? `Everything the policies of ${roles} allow. The cloud role adds no restrictions.`
        : `What the policies of ${roles} allow, limited to what ${filter} ${allows}.`;
    }
    case 'federation_token':
      return parts.length === 0
        ? 'A federation token without a policy can only do what resource policies grant to its session.'
        : `What this engine's root user can do, limited to what ${filter} ${allows}.`;
    case 'iam_user,federation_token':
      return 'A legacy role. creds returns a new IAM user that can do what the policy document allows; sts returns a federation token, limited to that and to what the root user can do.';
    default:
      return `The console doesn't know the credential type "${role.credential_type}", so what its credentials can do is unknown.`;
  }
}

function unknownOf(role: StatementRole): readonly string[] {
  const type = role.credential_type;
  return [
    ...(type === 'assumed_role' ? ['What the policies of the assumed role allow'] : []),
    ...(type.includes('federation_token')
      ? ["What the engine's root user can do, except that federation tokens can't call IAM or most of STS"]
      : []),
    ...(role.policy_arns.length > 0
      ? ['What the managed policies allow, and whether their owner has changed them']
      : []),
    ...(role.iam_groups.length > 0 ? ['What the policies of the groups allow'] : []),
    'Other rules, such as organization policies and resource policies',
  ];
}

/** `AWS managed: ReadOnlyAccess`, `Managed in 123456789012: deploy`. */
function policyTitle(arn: string): string {
  const [, account = '', path = ''] = /^arn:[^:]*:iam::([^:]*):policy\/(.+)$/.exec(arn) ?? [];
  if (path === '') return arn;
  const name = nameInArn(arn);
  return account === 'aws' ? `AWS managed: ${name}` : `Managed in ${account}: ${name}`;
}

function nameInArn(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}

/** A document's statements; none if it is empty, undefined if it can't be read. */
function statementsOf(text: string): readonly Members[] | undefined {
  if (text.trim() === '') return [];
  try {
    const document: unknown = JSON.parse(text, numberAsWritten);
    const found = isMembers(document) ? document['Statement'] : undefined;
    if (found === undefined) return undefined;
    const statements: readonly unknown[] = Array.isArray(found) ? found : [found];
    return statements.every(isMembers) ? statements : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps numbers as their source text, because JavaScript would round some. */
function numberAsWritten(
  _name: string,
  value: unknown,
  ...[context]: { readonly source?: string }[]
): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

function statementWords(statement: Members): StatementWords {
  const effect =
    statement['Effect'] === 'Deny' ? 'deny' : statement['Effect'] === 'Allow' ? 'allow' : 'unknown';
  const [actions, notActions] = [textsOf(statement['Action']), textsOf(statement['NotAction'])];
  const what =
    actions.length > 0
      ? actionWords(actions)
      : notActions.length > 0
        ? `do everything except ${joined(notActions, 'and')}`
        : 'do none of the listed actions';
  const [resources, notResources] = [textsOf(statement['Resource']), textsOf(statement['NotResource'])];
  const where =
    resources.length > 0
      ? resources.map(resourceWords)
      : notResources.length > 0
        ? [`everything except ${joined(notResources.map(resourceWords), 'and')}`]
        : [];
  const conditions = conditionsOf(statement['Condition']);
  const verb = { deny: 'May not', allow: 'May', unknown: 'Unknown effect:' }[effect];
  return {
    effect,
    sid: typeof statement['Sid'] === 'string' ? statement['Sid'] : '',
    sentence: `${verb} ${what}${where.length === 1 ? ` on ${where[0] ?? ''}` : ''}${
      where.length > 1 ? ` on ${String(where.length)} resources` : ''
    }`,
    resources: where.length > 1 ? where : [],
    conditions,
  };
}

const verbs: readonly (readonly [RegExp, string])[] = [
  [/^(?:Get|BatchGet|Read|Head|Download)/, 'read'],
  [/^(?:List|Describe|Scan|Query|Search)/, 'list and look up'],
  [/^(?:Put|Create|Update|Write|Upload|Run|Start|Modify|Set|Send|Publish|BatchWrite)/, 'create and change'],
  [/^(?:Delete|Remove|Terminate|BatchDelete|Purge)/, 'delete'],
];

/** `do everything with s3`, `read (s3:GetObject) and delete (s3:DeleteObject)`, or the actions as written. */
function actionWords(actions: readonly string[]): string {
  if (actions.includes('*')) return 'do everything';
  const whole = actions.filter((action) => action.endsWith(':*')).map((action) => action.slice(0, -2));
  const single = actions.filter((action) => !action.endsWith(':*'));
  const groups = new Map<string, string[]>();
  for (const action of single) {
    const name = action.slice(action.indexOf(':') + 1);
    const verb = verbs.find(([pattern]) => pattern.test(name))?.[1] ?? 'use';
    groups.set(verb, [...(groups.get(verb) ?? []), action]);
  }
  return joined(
    [
      ...(whole.length > 0 ? [`do everything with ${joined(whole, 'and')}`] : []),
      ...[...groups].map(([verb, names]) => `${verb} (${names.join(', ')})`),
    ],
    'and',
  );
}

/** `every resource`, `every object in the bucket logs`, else the ARN. */
function resourceWords(arn: string): string {
  if (arn === '*') return 'every resource';
  const [, bucket = '', key] = /^arn:[^:]*:s3:::([^/]+)(?:\/(.*))?$/s.exec(arn) ?? [];
  if (bucket === '') return arn;
  const named = bucket === '*' ? 'any bucket' : `the bucket ${bucket}`;
  if (key === undefined) return named;
  return key === '*' ? `every object in ${named}` : `objects ${key} in ${named}`;
}

function conditionsOf(condition: unknown): readonly string[] {
  if (!isMembers(condition)) return [];
  return Object.entries(condition).flatMap(([operator, keys]) =>
    isMembers(keys)
      ? Object.entries(keys).map(([key, value]) => conditionWords(operator, key, textsOf(value)))
      : [],
  );
}
