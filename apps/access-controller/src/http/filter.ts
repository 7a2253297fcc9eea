import { Budget, BudgetSpent } from '@gatehouse/filter-expression/budget';
import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import type { Expression } from '@gatehouse/filter-expression/expression';
import { FilterSyntaxError } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { invalidField, type FieldFaults } from '../domain/refusal.ts';
import { askerOf, isKnown } from './caller.ts';
import type { Context } from './context.ts';

/** Steps of one request, enough for ten clauses with patterns over 100,000 targets. */
export const stepsOfRequest = 100_000_000;

/** Of one without a token. */
const stepsOfStranger = stepsOfRequest / 100;

/** The filter of one list operation: judges its items within one budget. */
export class ItemFilter {
  readonly #expression: Expression;
  readonly #budget: Budget;

  constructor(expression: Expression, steps: number) {
    this.#expression = expression;
    this.#budget = new Budget(steps);
  }

  /**
   * Whether an item matches.
   * @throws Refusal `invalid argument` when the filter takes more work than it may
   */
  accepts(item: unknown): boolean {
    try {
      return matchesFilter(this.#expression, { item }, this.#budget);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      throw invalidField('filter', `This field could not be evaluated: ${error.message}.`);
    }
  }
}

/** Reads the `filter` parameter of a list operation; undefined when it is empty. A syntax error is noted as a fault. */
export function readFilter(
  context: Context,
  req: Request,
  text: string,
  faults: FieldFaults,
): ItemFilter | undefined {
  if (text.trim() === '') return undefined;
  try {
    const expression = parseFilter(text);
    return new ItemFilter(expression, isKnown(context, req) ? stepsOfRequest : stepsOfStranger);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    faults.add('filter', `This field could not be parsed: ${error.message}.`);
    return undefined;
  }
}

/** The slices in which the items of a list are looked at, until its client leaves. */
export function slicesOf(context: Context, req: Request): Slices {
  return new Slices(() => req.socket.destroyed, askerOf(context, req));
}

/**
 * The items that a filter lets through; all without one.
 * @throws as `ItemFilter.accepts`
 * @throws HttpError 499 when the client has left
 */
export async function filtered<Item>(
  context: Context,
  req: Request,
  items: readonly Item[],
  filter: ItemFilter | undefined,
): Promise<readonly Item[]> {
  if (filter === undefined) return items;
  const slices = slicesOf(context, req);
  const accepted: Item[] = [];
  for (const item of items) {
    await slices.giveWay();
    if (filter.accepts(item)) accepted.push(item);
  }
  return accepted;
}
