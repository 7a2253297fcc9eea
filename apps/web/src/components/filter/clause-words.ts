/** What a clause of a filter says and saw, in words. */
import type { Explanation, Outcome, Seen } from '@gatehouse/filter-expression/explain';

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  holds: 'Holds',
  fails: "Doesn't hold",
  meaningless: 'Not applicable',
};

const longest = 160;

/** The value that a clause saw: `saw "10.0.0.1"`. */
export function seenWords({ isThere, value }: Seen): string {
  if (!isThere) return 'field not found';
  if (value === null) return 'field has no value';
  const text = JSON.stringify(value);
  return `saw ${text.length > longest ? `${text.slice(0, longest)}…` : text}`;
}

/** The parts of `and` and `or` as one row: those of `a and b and c` are three, however they nest. */
export function partsInARow(explanation: Explanation): readonly Explanation[] {
  const { kind } = explanation.expression;
  if (kind !== 'and' && kind !== 'or') return explanation.parts;
  return explanation.parts.flatMap((part) => (part.expression.kind === kind ? partsInARow(part) : [part]));
}

/** What stands above the parts of a clause; undefined for one that is shown as it is written. */
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
