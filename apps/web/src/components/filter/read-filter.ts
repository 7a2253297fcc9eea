/**
 * Reads filter expressions in the page, as the controller does. It carries the engine of RE2: components that need it
 * are fetched when somebody asks.
 */
import { BudgetSpent } from '@gatehouse/filter-expression/budget';
import { FilterSyntaxError, type Expression } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';

export type ReadFilter =
  | { readonly expression: Expression; readonly problem?: undefined }
  | { readonly expression?: undefined; readonly problem: string };

/** The expression, or what is wrong with it in the controller's words; undefined for an empty one. */
export function readFilter(text: string): ReadFilter | undefined {
  if (text.trim() === '') return undefined;
  try {
    return { expression: parseFilter(text) };
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    return { problem: error.message };
  }
}

/** What evaluating or explaining an expression gives; undefined when it takes more work than it may. */
export function tryFilter<Result>(evaluate: () => Result): Result | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return undefined;
  }
}
