import { Budget } from './budget.ts';
import { bind, compareHolds, elements, Inapplicable, select, stateHolds, type Bindings } from './clause.ts';
import type { Expression } from './expression.ts';

/**
 * Whether a filter matches plain JSON data. As in other tools with go-bexpr filters, an item that a clause doesn't
 * apply to (such as a number matched with a pattern) doesn't match, without an error.
 * @param budget shared by all items of one request; the limit of one item unless given
 * @throws BudgetSpent
 */
export function matchesFilter(expression: Expression, datum: unknown, budget = new Budget()): boolean {
  budget.nextItem();
  try {
    return evaluate(expression, datum, undefined, budget);
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

function evaluate(
  expression: Expression,
  datum: unknown,
  bindings: Bindings | undefined,
  budget: Budget,
): boolean {
  budget.spend(1);
  switch (expression.kind) {
    case 'and':
      return (
        evaluate(expression.left, datum, bindings, budget) &&
        evaluate(expression.right, datum, bindings, budget)
      );
    case 'or':
      return (
        evaluate(expression.left, datum, bindings, budget) ||
        evaluate(expression.right, datum, bindings, budget)
      );
    case 'not':
      return !evaluate(expression.operand, datum, bindings, budget);
    case 'state':
      return stateHolds(expression.operator, select(expression.selector, datum, bindings, budget), budget);
    case 'compare':
      return compareHolds(expression, select(expression.selector, datum, bindings, budget), budget);
    case 'any':
    case 'all': {
      const selected = select(expression.selector, datum, bindings, budget) ?? [];
      for (const [index, value] of elements(selected, budget)) {
        const found = evaluate(
          expression.body,
          datum,
          bind(expression.names, selected, index, value, bindings),
          budget,
        );
        if (found === (expression.kind === 'any')) return found;
      }
      return expression.kind === 'all';
    }
  }
}
