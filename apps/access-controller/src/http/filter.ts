import { Budget, BudgetSpent } from '@gatehouse/filter-expression/budget';
import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import type { Expression } from '@gatehouse/filter-expression/expression';
import { FilterSyntaxError } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { invalidField, type FieldFaults } from '../domain/refusal.ts';
import { askerOf } from './caller.ts';
import type { Context } from './context.ts';

/** The steps of one request, enough for ten clauses with patterns over 100,000 targets. */
export const stepsOfRequest = 100_000_000;

/** The steps of a request without a valid token. */
const stepsOfStranger = stepsOfRequest / 100;

/** The resources that the list operation of one request may use. */
export interface Allowance {
  /** Turns for reading the filter and checking the items, until the client disconnects. */
  readonly slices: Slices;
  /** The most steps of the filter. */
  readonly steps: number;
}

/** A request's allowance. Users get more steps than clients without a valid token, and come first. */
export function allowanceOf(context: Context, req: Request): Allowance {
  const asker = askerOf(context, req);
  return {
    slices: new Slices(() => req.socket.destroyed, asker),
    steps: asker.isKnown ? stepsOfRequest : stepsOfStranger,
  };
}

/** The filter of one list operation. All items share one budget of steps. */
export class ItemFilter {
  readonly #expression: Expression;
  readonly #budget: Budget;
  /** Turns for checking items. */
  readonly slices: Slices;

  constructor(expression: Expression, { slices, steps }: Allowance) {
    this.#expression = expression;
    this.#budget = new Budget(steps);
    this.slices = slices;
  }

  /** Whether an item matches. @throws Refusal `invalid argument` if the filter exceeds its budget */
  accepts(item: unknown): boolean {
    try {
      return matchesFilter(this.#expression, { item }, this.#budget);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      throw invalidField('filter', `This field could not be evaluated: ${error.message}.`);
    }
  }
}

/**
 * Reads the `filter` parameter of a list operation; undefined if it is empty. A syntax error adds a fault. Waits for
 * a turn, since compiling a pattern may take 10 ms.
 * @throws HttpError 499 if the client has disconnected
 */
export async function readFilter(
  text: string,
  allowance: Allowance,
  faults: FieldFaults,
): Promise<ItemFilter | undefined> {
  if (text.trim() === '') return undefined;
  await allowance.slices.giveWay();
  try {
    return new ItemFilter(parseFilter(text), allowance);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    faults.add('filter', `This field could not be parsed: ${error.message}.`);
    return undefined;
  }
}

/**
 * The wire forms of the items that match a filter; of all items without a filter.
 * @throws Refusal like `ItemFilter.accepts`
 * @throws HttpError 499 if the client has disconnected
 */
export async function filtered<Item>(
  items: readonly Item[],
  toWire: (item: Item) => Readonly<Record<string, unknown>>,
  filter: ItemFilter | undefined,
  slices: Slices,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found = [];
  for (const item of items) {
    await slices.giveWay();
    const wire = toWire(item);
    if (filter === undefined || filter.accepts(wire)) found.push(wire);
  }
  return found;
}
