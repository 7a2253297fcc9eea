/**
 * Most steps that the evaluation of one item takes. A step is some 0.1 µs, so nobody else waits longer than some 50 ms
 * for a single item; whoever judges many gives way between them.
 */
const maxStepsOfItem = 250_000;

/** Instructions of a pattern times characters of a text that count as one step. */
const patternWork = 8;

/** The steps that evaluations may take together: one for each clause, each element of a collection, and by the text. */
export class Budget {
  #left: number;
  #leftForItem = 0;

  /** @param steps for all items; as many as one item may take, unless given */
  constructor(steps = maxStepsOfItem) {
    this.#left = steps;
  }

  /** Begins with the next item. */
  nextItem(): void {
    this.#leftForItem = maxStepsOfItem;
  }

  /** @throws BudgetSpent before the work is done */
  spend(steps: number): void {
    this.#left -= steps;
    this.#leftForItem -= steps;
    if (this.#left < 0 || this.#leftForItem < 0) throw new BudgetSpent();
  }

  /**
   * Before a pattern is looked for in a text.
   * @param size instructions of the pattern
   * @param length UTF-16 units of the text
   * @throws BudgetSpent
   */
  spendPattern(size: number, length: number): void {
    this.spend(Math.ceil((size * length) / patternWork));
  }
}

/** A filter that takes more steps than it may. It says nothing about the items. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';

  constructor() {
    super('the expression takes too much work: use fewer clauses, shorter patterns, or fewer any and all');
  }
}
