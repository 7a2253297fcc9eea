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

/** Steps of one request, enough for ten clauses with patterns over 100,000 targets. */
export const stepsOfRequest = 100_000_000;

/** Of one without a token. */
const stepsOfStranger = stepsOfRequest / 100;

/** What the list operation of one request may take. */
export interface Allowance {
  /** In which its filter is read, and its items are looked at, until its client leaves. */
  readonly slices: Slices;
  /** Of its filter. */
  readonly steps: number;
}

/** What a request may take: more for a person, who also comes before strangers. */
export function allowanceOf(context: Context, req: Request): Allowance {
  const asker = askerOf(context, req);
  return {
    slices: new Slices(() => req.socket.destroyed, asker),
    steps: asker.isKnown ? stepsOfRequest : stepsOfStranger,
  };
}

/** The filter of one list operation: judges its items within one budget. */
export class ItemFilter {
  readonly #expression: Expression;
  readonly #budget: Budget;
  /** In which items are judged. */
  readonly slices: Slices;

  constructor(expression: Expression, { slices, steps }: Allowance) {
    this.#expression = expression;
    this.#budget = new Budget(steps);
    this.slices = slices;
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

/**
 * Reads the `filter` parameter of a list operation; undefined when it is empty. A syntax error is noted as a fault.
 * To compile a pattern may take 10 ms, so it waits for its turn as well.
 * @throws HttpError 499 when the client has left
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
 * What is answered of each item, of those that a filter lets through; of all without one.
 * @throws as `ItemFilter.accepts`
 * @throws HttpError 499 when the client has left
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
