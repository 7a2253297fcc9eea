import { Budget, BudgetSpent } from '@gatehouse/filter-expression/budget';
import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import type { Expression } from '@gatehouse/filter-expression/expression';
import { FilterSyntaxError } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { invalidField, type FieldFaults } from '../domain/refusal.ts';
import { isKnown } from './caller.ts';
import type { Context } from './context.ts';

/** Steps of one request, enough for ten clauses with patterns over 100,000 targets. */
export const stepsOfRequest = 100_000_000;

/** Of one without a token. */
const stepsOfStranger = stepsOfRequest / 100;

/** The filter of one list operation: judges its items in slices, within one budget. */
export class ItemFilter {
  readonly #expression: Expression;
  readonly #budget: Budget;
  readonly #slices: Slices;

  constructor(expression: Expression, steps: number, req: Request) {
    this.#expression = expression;
    this.#budget = new Budget(steps);
    this.#slices = new Slices(() => req.socket.destroyed);
  }

  /**
   * Whether an item matches.
   * @throws Refusal `invalid argument` when the filter takes more work than it may
   * @throws HttpError 499 when the client has left
   */
  async accepts(item: unknown): Promise<boolean> {
    await this.#slices.giveWay();
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
    return new ItemFilter(expression, isKnown(context, req) ? stepsOfRequest : stepsOfStranger, req);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    faults.add('filter', `This field could not be parsed: ${error.message}.`);
    return undefined;
  }
}

/** The items that a filter lets through; all without one. @throws as `ItemFilter.accepts` */
export async function filtered<Item>(
  items: readonly Item[],
  filter: ItemFilter | undefined,
): Promise<readonly Item[]> {
  if (filter === undefined) return items;
  const accepted: Item[] = [];
  for (const item of items) if (await filter.accepts(item)) accepted.push(item);
  return accepted;
}
