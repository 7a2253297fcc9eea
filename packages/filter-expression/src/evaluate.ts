import { bind, compareHolds, elements, Inapplicable, select, stateHolds, type Bindings } from './clause.ts';
import type { Expression } from './expression.ts';

/**
 * Whether a filter matches plain JSON data. As in the field, a filter that makes no sense for an item (such as a
 * number that matches a pattern) does not match it; that is no error.
 */
export function matchesFilter(expression: Expression, datum: unknown): boolean {
  try {
    return evaluate(expression, datum, undefined);
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

function evaluate(expression: Expression, datum: unknown, bindings: Bindings | undefined): boolean {
  switch (expression.kind) {
    case 'and':
      return evaluate(expression.left, datum, bindings) && evaluate(expression.right, datum, bindings);
    case 'or':
      return evaluate(expression.left, datum, bindings) || evaluate(expression.right, datum, bindings);
    case 'not':
      return !evaluate(expression.operand, datum, bindings);
    case 'state':
      return stateHolds(expression.operator, select(expression.selector, datum, bindings));
    case 'compare':
      return compareHolds(expression, select(expression.selector, datum, bindings));
    case 'any':
    case 'all': {
      const selected = select(expression.selector, datum, bindings) ?? [];
      for (const [index, value] of elements(selected)) {
        const found = evaluate(
          expression.body,
          datum,
          bind(expression.names, selected, index, value, bindings),
        );
        if (found === (expression.kind === 'any')) return found;
      }
      return expression.kind === 'all';
    }
  }
}
