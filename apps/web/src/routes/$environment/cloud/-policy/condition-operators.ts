/** The condition operators of IAM policies, and their wording. */
const words: Readonly<Record<string, string>> = {
  StringEquals: 'is',
  StringNotEquals: 'is not',
  StringEqualsIgnoreCase: 'is (ignoring case)',
  StringNotEqualsIgnoreCase: 'is not (ignoring case)',
  StringLike: 'matches',
  StringNotLike: 'does not match',
  NumericEquals: 'is',
  NumericNotEquals: 'is not',
  NumericLessThan: 'is less than',
  NumericLessThanEquals: 'is at most',
  NumericGreaterThan: 'is more than',
  NumericGreaterThanEquals: 'is at least',
  DateEquals: 'is',
  DateNotEquals: 'is not',
  DateLessThan: 'is before',
  DateLessThanEquals: 'is not after',
  DateGreaterThan: 'is after',
  DateGreaterThanEquals: 'is not before',
  Bool: 'is',
  BinaryEquals: 'is',
  IpAddress: 'is in',
  NotIpAddress: 'is not in',
  ArnEquals: 'matches',
  ArnNotEquals: 'does not match',
  ArnLike: 'matches',
  ArnNotLike: 'does not match',
  Null: 'is missing:',
};

interface Operator {
  readonly quantifier: string;
  readonly name: string;
  readonly ifExists: boolean;
}

function partsOf(operator: string): Operator {
  const [, quantifier = '', name = '', suffix] =
    /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/s.exec(operator) ?? [];
  return { quantifier, name, ifExists: suffix !== undefined };
}

/** What is wrong with an operator; undefined if it is valid. */
export function operatorProblem(operator: string): string | undefined {
  const { name, ifExists } = partsOf(operator);
  if (name === 'Null' && ifExists)
    return "Null can't be combined with IfExists: Null already checks whether a key exists.";
  if (Object.hasOwn(words, name)) return undefined;
  const meant = Object.keys(words).find((known) => known.toLowerCase() === name.toLowerCase());
  return `"${operator}" is not a condition operator.${meant === undefined ? ' Examples are StringEquals, StringLike, IpAddress, Bool and ArnLike.' : ` Write ${meant}.`}`;
}

/** A condition in words: `aws:SourceIp is in 10.0.0.0/8 or 192.0.2.0/24`. */
export function conditionWords(operator: string, key: string, values: readonly string[]): string {
  const { quantifier, name, ifExists } = partsOf(operator);
  const of = quantifier === '' ? key : `${quantifier === 'ForAllValues' ? 'every' : 'some'} value of ${key}`;
  const verb = Object.hasOwn(words, name) ? words[name] : name;
  const isNegative = /Not/.test(name);
  return `${of} ${verb ?? name} ${values.join(isNegative ? ' and not ' : ' or ')}${ifExists ? ' (if present)' : ''}`;
}
