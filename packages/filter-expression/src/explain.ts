import { Budget } from './budget.ts';
import { bind, compareHolds, elements, Inapplicable, select, stateHolds, type Bindings } from './clause.ts';
import type { Expression } from './expression.ts';

/**
 * What became of a clause. One that makes no sense for its value (`meaningless`) ends the whole: the filter does not
 * match then, whatever else holds.
 */
export type Outcome = 'holds' | 'fails' | 'meaningless';

/** One clause of a filter with what it evaluated to, and on what. */
export interface Explanation {
  readonly expression: Expression;
  readonly outcome: Outcome;
  /**
   * Whether the evaluation came to ask it. A clause after the one that decided is explained all the same: it may be
   * the next to fail.
   */
  readonly isAsked: boolean;
  /** What a clause's selector found; absent for `and`, `or`, `not`, and where the selector leads nowhere. */
  readonly seen?: Seen;
  /** Why it is meaningless, where it is this clause that is. */
  readonly reason?: string;
  /** The parts of `and`, `or` and `not`; of `any` and `all` the body for each element. */
  readonly parts: readonly Explanation[];
  /** Of a part of `any` or `all`: the position or key of its element. */
  readonly element?: string | number;
}

/** A selected value; `isThere` is false where the data have no such field. */
export interface Seen {
  readonly isThere: boolean;
  readonly value: unknown;
}

/** Steps for a part, which is kept and shown: an explanation has some 20,000 at most. */
const stepsOfPart = 12;

/**
 * Evaluates a filter over plain JSON data and tells of every clause what it saw. The root holds exactly when
 * `matchesFilter` does.
 * @throws BudgetSpent where that would be more than anybody reads
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

/** A clause that looks at a value. */
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
  /** What an element's body must be for the next to be asked. */
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
