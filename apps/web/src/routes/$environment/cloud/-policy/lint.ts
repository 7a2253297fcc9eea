import type { UnknownAction } from '@gatehouse/api-types/console/cloud-engines';
/**
 * Finds mistakes and risks in an IAM policy document, with their positions. Checks the grammar of identity policies, known
 * ways to raise one's rights, and the actions that are known to be unknown; not condition keys and resources of actions.
 * Not every mistake is found.
 */
import { JsonTextError, parse, type JsonNode } from '@gatehouse/api-types/console/json-text';
import { operatorProblem } from './condition-operators.ts';
import { isBroad, riskOf } from './risks.ts';

export interface PolicyFinding {
  /** What is wrong and how to fix it. */
  readonly message: string;
  /** In UTF-16 units. */
  readonly offset: number;
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
  /**
   * `danger`: the provider rejects it. `risk`: it is accepted, and allows so much that the holder can get more rights.
   * `warn`: it is accepted, but may not be what you mean.
   */
  readonly tone: 'danger' | 'risk' | 'warn';
}

/** How a document is used: as a user's inline policy, a managed policy, or a session policy. */
export type PolicyUse = 'inline' | 'managed' | 'session';

/** Longest document that is checked, in UTF-16 units. The provider accepts 6,144 besides whitespace. */
export const mostChecked = 100_000;

const limits: Readonly<Record<PolicyUse, number>> = { inline: 2048, managed: 6144, session: 2048 };

/** A document's size as the provider counts it, without whitespace between values, and its limit. */
export function policySize(text: string, use: PolicyUse): { readonly size: number; readonly limit: number } {
  const counted = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  return { size: counted.length, limit: limits[use] };
}

/** The actions that a policy document names, each once; none if it can't be read. */
export function actionsIn(text: string): readonly string[] {
  const found = new Set<string>();
  try {
    for (const statement of statementsIn(parse(text)))
      for (const [name, node] of statement.members ?? [])
        if (/^(?:Not)?Action$/.test(name))
          for (const item of node.items ?? [node]) found.add(stringAt({ text }, item) ?? '');
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  found.delete('');
  return [...found];
}

function statementsIn({ members = [] }: JsonNode): readonly JsonNode[] {
  const statement = members.findLast(([name]) => name === 'Statement')?.[1];
  return statement === undefined ? [] : (statement.items ?? [statement]);
}

/**
 * All findings in a policy document, in order of position; none if it is empty.
 * @param unknown the actions that the provider's table doesn't have, as far as known
 */
export function lintPolicy(
  text: string,
  use: PolicyUse = 'inline',
  unknown: readonly UnknownAction[] = [],
): readonly PolicyFinding[] {
  if (text.trim() === '') return [];
  const findings: Found[] = [];
  const report: Report = (message, offset, tone = 'danger') => {
    findings.push({ message, offset, tone });
  };
  const { size, limit } = policySize(text, use);
  if (size > limit) {
    report(
      `The document has ${count(size)} characters without spaces, and the limit is ${count(limit)}. Merge statements, use wildcards, or move parts into a managed policy.`,
      0,
    );
  }
  if (text.length > mostChecked) {
    report(
      `Nothing else was checked, because the document has more than ${count(mostChecked)} characters.`,
      0,
      'warn',
    );
  } else {
    try {
      const problems = new Map(unknown.map((one) => [one.action, unknownWords(one)]));
      checkDocument({ text, report, use, unknown: problems }, parse(text));
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      report(`${error.message.replace(/ \(line .*$/, '')}.`, Math.min(error.offset, text.length));
    }
    const strange = /[^\t\n\r\u0020-\u00ff]/u.exec(text);
    if (strange !== null) {
      report(
        `A policy can't contain the character "${strange[0]}". Use Latin-1 characters only.`,
        strange.index,
      );
    }
  }
  let [line, lineStart, lineEnd] = [1, 0, text.indexOf('\n')];
  return findings
    .sort((a, b) => a.offset - b.offset)
    .map((found) => {
      for (; lineEnd !== -1 && lineEnd < found.offset; lineEnd = text.indexOf('\n', lineStart)) {
        line += 1;
        lineStart = lineEnd + 1;
      }
      return { ...found, line, column: found.offset - lineStart + 1 };
    });
}

type Found = Pick<PolicyFinding, 'message' | 'offset' | 'tone'>;
type Report = (message: string, offset: number, tone?: PolicyFinding['tone']) => void;

/** The text, and how to report findings. */
interface Context {
  readonly text: string;
  readonly report: Report;
  readonly use: PolicyUse;
  /** What to say about unknown actions. */
  readonly unknown: ReadonlyMap<string, string>;
}

function unknownWords({ action, part, nearest }: UnknownAction): string {
  const what =
    part === 'service' ? "The provider's table has no service" : "The provider's table has no action";
  return `${what} "${part === 'service' ? action.slice(0, action.indexOf(':')) : action}".${nearest === null ? '' : ` Did you mean ${nearest}?`}`;
}

const count = (size: number): string => size.toLocaleString('en');

const documentElements = ['Version', 'Id', 'Statement'];
const statementElements = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
];

function checkDocument(context: Context, document: JsonNode): void {
  const { report } = context;
  const members = membersOf(context, document, documentElements, 'policy document');
  if (members === undefined) {
    report(
      'A policy document is a JSON object, such as {"Version": "2012-10-17", "Statement": []}.',
      document.start,
    );
    return;
  }
  const version = members.get('Version');
  if (version === undefined) {
    report(
      'Version is missing, so the 2008 rules apply, without policy variables. Add "Version": "2012-10-17".',
      document.start,
      'warn',
    );
  } else if (!['2012-10-17', '2008-10-17'].includes(stringAt(context, version) ?? '')) {
    report(
      'Version is the date of the policy language, not of the document. Use "2012-10-17".',
      version.start,
    );
  }
  const id = members.get('Id');
  if (id !== undefined && stringAt(context, id) === undefined) report('Id must be a string.', id.start);
  const statement = members.get('Statement');
  if (statement === undefined) {
    report('Statement is missing. Add "Statement" with a list of statements.', document.start);
    return;
  }
  const statements = itemsOf(statement);
  if (statements.length === 0)
    report('The document has no statements, so it allows nothing.', statement.start, 'warn');
  const sids = new Set<string>();
  for (const item of statements) checkStatement(context, item, sids);
}

function checkStatement(context: Context, statement: JsonNode, sids: Set<string>): void {
  const { report } = context;
  const members = membersOf(context, statement, statementElements, 'statement');
  if (members === undefined) {
    report('A statement is a JSON object with Effect, Action and Resource.', statement.start);
    return;
  }
  checkSid(context, members.get('Sid'), sids);
  const effectNode = members.get('Effect');
  const effect = effectNode === undefined ? undefined : stringAt(context, effectNode);
  if (effectNode === undefined) {
    report('Effect is missing. Add "Effect": "Allow" or "Effect": "Deny".', statement.start);
  } else if (effect !== 'Allow' && effect !== 'Deny') {
    report('Effect must be exactly "Allow" or "Deny".', effectNode.start);
  }
  for (const name of ['Principal', 'NotPrincipal']) {
    const principal = members.get(name);
    if (principal === undefined) continue;
    report(
      `${name} belongs in resource policies. This policy applies to anyone who receives the credentials${
        isWildcard(context, principal) ? ', and a wildcard would name everyone' : ''
      }. Remove it.`,
      keyOf(principal),
    );
  }
  const actions = checkPair(context, statement, members, 'Action', actionProblem);
  const resources = checkPair(context, statement, members, 'Resource', resourceProblem);
  if (effect === 'Allow') warnOfBreadth(context, statement, members, actions, resources);
  const condition = members.get('Condition');
  if (condition !== undefined) checkCondition(context, condition);
}

function checkSid(context: Context, node: JsonNode | undefined, sids: Set<string>): void {
  if (node === undefined) return;
  const sid = stringAt(context, node);
  if (sid === undefined || !/^[A-Za-z0-9]*$/.test(sid)) {
    context.report('A Sid can only contain letters and digits.', node.start);
  } else if (sid !== '' && sids.has(sid)) {
    context.report(
      `Another statement also has the Sid "${sid}". Give each statement a different Sid.`,
      node.start,
    );
  }
  if (sid !== undefined) sids.add(sid);
}

/** Checks `Action` or `Resource` together with `NotAction` or `NotResource`. @returns the values of the plain one */
function checkPair(
  context: Context,
  statement: JsonNode,
  members: ReadonlyMap<string, JsonNode>,
  name: 'Action' | 'Resource',
  problemOf: (value: string) => string | undefined,
): readonly string[] {
  const { report } = context;
  const [plain, negated] = [members.get(name), members.get(`Not${name}`)];
  if (plain !== undefined && negated !== undefined) {
    report(`A statement has ${name} or Not${name}, not both. Split it into two.`, keyOf(negated));
  }
  if (plain === undefined && negated === undefined) {
    report(
      `${name} is missing. Add "${name}", such as ${name === 'Action' ? '"s3:GetObject"' : '"arn:aws:s3:::bucket/*"'}.`,
      statement.start,
    );
  }
  for (const node of [plain, negated]) {
    if (node === undefined) continue;
    const items = node.items ?? [node];
    if (items.length === 0)
      report(`The list is empty. Add at least one entry, or remove the statement.`, node.start);
    for (const item of items) {
      const value = stringAt(context, item);
      const problem =
        value === undefined ? `${name} must be a string or a list of strings.` : problemOf(value);
      if (problem !== undefined) report(problem, item.start);
      const doubt = name === 'Action' && value !== undefined ? context.unknown.get(value) : undefined;
      if (doubt !== undefined) report(doubt, item.start, 'warn');
    }
  }
  return plain === undefined ? [] : (plain.items ?? [plain]).flatMap((item) => stringAt(context, item) ?? []);
}

function actionProblem(action: string): string | undefined {
  if (action === '*' || /^[A-Za-z0-9-]+:[A-Za-z0-9*?]+$/.test(action)) return undefined;
  return action.includes(':')
    ? `"${action}" is not an action. After the colon, use letters, digits and the wildcards * and ?.`
    : `"${action}" is not an action. Write service, colon and action, such as s3:GetObject.`;
}

function resourceProblem(resource: string): string | undefined {
  if (resource === '*' || /^arn:[^:]*:[^:]*:[^:]*:[^:]*:.+$/.test(resource)) return undefined;
  return `"${resource}" is not an ARN. Use "*", or six parts such as arn:aws:s3:::bucket/*.`;
}

function warnOfBreadth(
  context: Context,
  statement: JsonNode,
  members: ReadonlyMap<string, JsonNode>,
  actions: readonly string[],
  resources: readonly string[],
): void {
  const { report, use } = context;
  // A session policy only limits, and a condition may limit as well.
  const tone = use === 'session' || members.has('Condition') ? 'warn' : 'risk';
  if (actions.includes('*') && resources.includes('*') && !members.has('Condition')) {
    report(
      'This allows everything on everything. List only the actions or resources needed.',
      statement.start,
      tone,
    );
  }
  if (resources.some(isBroad) || members.has('NotResource'))
    for (const item of itemsOf(members.get('Action'))) {
      const risk = riskOf(stringAt(context, item) ?? '');
      if (risk !== undefined) report(`${risk} List single resources.`, item.start, tone);
    }
  const [notAction, notResource] = [members.get('NotAction'), members.get('NotResource')];
  if (notAction !== undefined) {
    report(
      "Allow with NotAction allows every action that isn't listed, including those of new services. List allowed actions as Action, or deny the others.",
      keyOf(notAction),
      tone,
    );
  }
  if (notResource !== undefined) {
    report(
      "Allow with NotResource applies to every resource that isn't listed, including new ones. List allowed resources as Resource.",
      keyOf(notResource),
      'warn',
    );
  }
}

function checkCondition(context: Context, condition: JsonNode): void {
  const { report } = context;
  if (condition.members === undefined) {
    report(
      'Condition is an object of operators, such as {"StringEquals": {"aws:RequestedRegion": "eu-central-1"}}.',
      condition.start,
    );
    return;
  }
  for (const [operator, keys] of condition.members) {
    const problem = operatorProblem(operator);
    if (problem !== undefined) report(problem, keyOf(keys));
    if (keys.members === undefined) {
      report(`${operator} must be an object of condition keys and values.`, keys.start);
      continue;
    }
    if (keys.members.length === 0) report(`${operator} has no condition key.`, keys.start);
    for (const [key, value] of keys.members) {
      const values = value.items ?? [value];
      if (
        values.length === 0 ||
        values.some(({ members, items }) => members !== undefined || items !== undefined)
      )
        report(`The value of ${key} must be a string or a list of strings.`, value.start);
    }
  }
}

/** The members, the last one if repeated. Reports unknown and repeated ones. Undefined if the node isn't an object. */
function membersOf(
  { report }: Context,
  { members }: JsonNode,
  known: readonly string[],
  of: string,
): ReadonlyMap<string, JsonNode> | undefined {
  if (members === undefined) return undefined;
  const found = new Map<string, JsonNode>();
  for (const [name, node] of members) {
    if (found.has(name))
      report(`${name} appears twice, and only the last one would count. Remove one.`, keyOf(node));
    found.set(name, node);
    if (known.includes(name)) continue;
    const meant = known.find((other) => isSlip(name, other));
    report(
      `"${name}" is not an element of a ${of}.${meant === undefined ? ` Valid elements: ${known.join(', ')}.` : ` Write ${meant}.`}`,
      keyOf(node),
    );
  }
  return found;
}

/** Whether a name is a typo of another: different case, or one letter missing, added or wrong. */
function isSlip(name: string, meant: string): boolean {
  const [a, b] = [name.toLowerCase(), meant.toLowerCase()];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}

function isWildcard(context: Context, node: JsonNode): boolean {
  const values = [
    node,
    ...(node.items ?? []),
    ...(node.members ?? []).flatMap(([, value]) => [value, ...(value.items ?? [])]),
  ];
  return values.some((value) => stringAt(context, value) === '*');
}

const keyOf = ({ keyStart, start }: JsonNode): number => keyStart ?? start;

const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] =>
  node?.items ?? (node === undefined ? [] : [node]);

function stringAt({ text }: Pick<Context, 'text'>, { start, end }: JsonNode): string | undefined {
  const value: unknown = JSON.parse(text.slice(start, end));
  return typeof value === 'string' ? value : undefined;
}
