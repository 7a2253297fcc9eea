/**
 * Parses filter expressions in the page, like the controller. Includes the RE2 engine, so components that
 * need it are loaded on demand.
 */
import { BudgetSpent } from '@gatehouse/filter-expression/budget';
import { FilterSyntaxError, type Expression } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';

export type ReadFilter =
  | { readonly expression: Expression; readonly problem?: undefined }
  | { readonly expression?: undefined; readonly problem: string };

/** The parsed expression, or the problem in the controller's words; undefined for an empty text. */
export function readFilter(text: string): ReadFilter | undefined {
  if (text.trim() === '') return undefined;
  try {
    return { expression: parseFilter(text) };
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    return { problem: error.message };
  }
}

/** The result of evaluating or explaining an expression; undefined if it exceeds the work limit. */
export function tryFilter<Result>(evaluate: () => Result): Result | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return undefined;
  }
}
