import { Budget } from './budget.ts';
import { bind, compareHolds, elements, Inapplicable, select, stateHolds, type Bindings } from './clause.ts';
import type { Expression } from './expression.ts';

/**
 * The result of a clause. A clause that doesn't apply to its value (`meaningless`) ends the evaluation: the filter
 * doesn't match, whatever the other clauses.
 */
export type Outcome = 'holds' | 'fails' | 'meaningless';

/** One clause of a filter with its result and the value it was evaluated on. */
export interface Explanation {
  readonly expression: Expression;
  readonly outcome: Outcome;
  /**
   * Whether the evaluation reaches this clause. Clauses after the deciding one are explained too, because they may be
   * the next to fail.
   */
  readonly isAsked: boolean;
  /** The value that the clause's selector found; absent for `and`, `or`, `not`, and if the path ends early. */
  readonly seen?: Seen;
  /** Why this clause is meaningless. */
  readonly reason?: string;
  /** The parts of `and`, `or` and `not`; for `any` and `all`, the body for each element. */
  readonly parts: readonly Explanation[];
  /** For a part of `any` or `all`: the position or key of its element. */
  readonly element?: string | number;
}

/** A selected value; `isThere` is false if the data has no such field. */
export interface Seen {
  readonly isThere: boolean;
  readonly value: unknown;
}

/** Steps charged for each part, because it is kept and shown; limits an explanation to about 20,000 parts. */
const stepsOfPart = 12;

/**
 * Evaluates a filter on plain JSON data and explains every clause. The root holds exactly if `matchesFilter` returns
 * true.
 * @throws BudgetSpent if the explanation would be too long to read
 */
export function explainFilter(expression: Expression, datum: unknown): Explanation {
  const budget = new Budget();
  budget.nextItem();
  return explain(expression, datum, undefined, true, budget);
}

function explain(
  expression: Expression,
  datum: unknown,
  bindings: Bindings | undefined,
  isAsked: boolean,
  budget: Budget,
): Explanation {
  budget.spend(stepsOfPart);
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const left = explain(expression.left, datum, bindings, isAsked, budget);
      const goesOn = left.outcome === (expression.kind === 'and' ? 'holds' : 'fails');
      const right = explain(expression.right, datum, bindings, isAsked && goesOn, budget);
      return {
        expression,
        outcome: goesOn ? right.outcome : left.outcome,
        isAsked,
        parts: [left, right],
      };
    }
    case 'not': {
      const operand = explain(expression.operand, datum, bindings, isAsked, budget);
      return { expression, outcome: opposite(operand.outcome), isAsked, parts: [operand] };
    }
    case 'compare':
    case 'state':
    case 'any':
    case 'all':
      return explainSelected(expression, datum, bindings, isAsked, budget);
  }
}

type Selecting = Exclude<Expression, { readonly kind: 'and' | 'or' | 'not' }>;

/** Explains a clause that selects a value. */
function explainSelected(
  expression: Selecting,
  datum: unknown,
  bindings: Bindings | undefined,
  isAsked: boolean,
  budget: Budget,
): Explanation {
  let seen: Seen | undefined;
  try {
    const value = select(expression.selector, datum, bindings, budget);
    seen = { isThere: value !== undefined, value };
    if ('names' in expression)
      return { seen, ...explainEach(expression, datum, bindings, value ?? [], isAsked, budget) };
    const holds =
      expression.kind === 'compare'
        ? compareHolds(expression, value, budget)
        : stateHolds(expression.operator, value, budget);
    return { expression, outcome: holds ? 'holds' : 'fails', isAsked, seen, parts: [] };
  } catch (error) {
    if (!(error instanceof Inapplicable)) throw error;
    return {
      expression,
      outcome: 'meaningless',
      isAsked,
      ...(seen && { seen }),
      reason: error.message,
      parts: [],
    };
  }
}

function explainEach(
  expression: Extract<Selecting, { readonly names: unknown }>,
  datum: unknown,
  bindings: Bindings | undefined,
  collection: unknown,
  isAsked: boolean,
  budget: Budget,
): Explanation {
  /** The outcome of an element's body with which the evaluation continues to the next element. */
  const goesOn = expression.kind === 'any' ? 'fails' : 'holds';
  let outcome: Outcome = goesOn;
  const parts: Explanation[] = [];
  for (const [element, value] of elements(collection, budget)) {
    const inner = bind(expression.names, collection, element, value, bindings);
    const part = explain(expression.body, datum, inner, isAsked && outcome === goesOn, budget);
    parts.push({ ...part, element });
    if (outcome === goesOn) outcome = part.outcome;
  }
  return { expression, outcome, isAsked, parts };
}

function opposite(outcome: Outcome): Outcome {
  return outcome === 'meaningless' ? outcome : outcome === 'holds' ? 'fails' : 'holds';
}
