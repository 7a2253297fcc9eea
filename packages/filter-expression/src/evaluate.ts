import { Budget } from './budget.ts';
import { bind, compareHolds, elements, Inapplicable, select, stateHolds, type Bindings } from './clause.ts';
import type { Expression } from './expression.ts';

/**
 * Whether a filter matches plain JSON data. As in the field, a filter that makes no sense for an item (such as a
 * number that matches a pattern) does not match it; that is no error.
 * @param budget of all items that are judged for one request; that of one item unless given
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
