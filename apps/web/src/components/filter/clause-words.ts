/** Clauses of a filter, and the values that they compared, in words. */
import type { Explanation, Outcome, Seen } from '@gatehouse/filter-expression/explain';

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  holds: 'Holds',
  fails: "Doesn't hold",
  meaningless: 'Not applicable',
};

const longest = 160;

/** The value that a clause compared: `saw "10.0.0.1"`. */
export function seenWords({ isThere, value }: Seen): string {
  if (!isThere) return 'field not found';
  if (value === null) return 'field has no value';
  const text = JSON.stringify(value);
  return `saw ${text.length > longest ? `${text.slice(0, longest)}…` : text}`;
}

/** Flattens nested `and` and `or`: `a and b and c` has three parts, however it nests. */
export function partsInARow(explanation: Explanation): readonly Explanation[] {
  const { kind } = explanation.expression;
  if (kind !== 'and' && kind !== 'or') return explanation.parts;
  return explanation.parts.flatMap((part) => (part.expression.kind === kind ? partsInARow(part) : [part]));
}

/** The heading above a clause's parts; undefined for a clause that is shown as written. */
export function headingOf({ expression }: Explanation, text: string): string | undefined {
  switch (expression.kind) {
    case 'and':
      return 'All of';
    case 'or':
      return 'Any of';
    case 'not':
      return 'Not';
    case 'any':
    case 'all':
      return text.slice(expression.span.from, text.indexOf('{', expression.span.from)).trim();
    case 'compare':
    case 'state':
      return undefined;
  }
}
