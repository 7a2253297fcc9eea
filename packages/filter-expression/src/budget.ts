/**
 * Most steps of an evaluation of one item. A step takes about 0.1 µs, or up to 0.4 µs with the slowest patterns, so one
 * item blocks other requests for at most about 100 ms. Callers that evaluate many items yield between them.
 */
const maxStepsOfItem = 250_000;

/** Steps charged for an item before its first clause, which also cover a clause that throws as inapplicable. */
const stepsOfItem = 20;

/** Pattern instructions times text characters that count as one step. */
const patternWork = 8;

/** Text characters times searched characters that count as one step. */
const searchWork = 256;

/**
 * A limit on the steps of evaluations, which are charged for each clause and collection element and by the length of
 * texts.
 */
export class Budget {
  #left: number;
  #leftForItem = 0;

  /** @param steps for all items together; the limit of one item unless given */
  constructor(steps = maxStepsOfItem) {
    this.#left = steps;
  }

  /** Starts the next item. @throws BudgetSpent */
  nextItem(): void {
    this.#leftForItem = maxStepsOfItem;
    this.spend(stepsOfItem);
  }

  /** @throws BudgetSpent */
  spend(steps: number): void {
    this.#left -= steps;
    this.#leftForItem -= steps;
    if (this.#left < 0 || this.#leftForItem < 0) throw new BudgetSpent();
  }

  /**
   * Charges for matching a text against a pattern.
   * @param size instructions of the pattern
   * @param length of the text in UTF-16 units
   * @throws BudgetSpent
   */
  spendPattern(size: number, length: number): void {
    // Some instructions match positions between characters, of which an empty text has one.
    this.spend(Math.ceil((size * (length + 1)) / patternWork));
  }

  /**
   * Charges for searching a text in another one. A search takes a few steps per thousand characters, unless every
   * position starts like the searched text: "aaaba" in "aaaa…".
   * @param length of the text in UTF-16 units
   * @param wanted length of the searched text in UTF-16 units
   * @throws BudgetSpent
   */
  spendSearch(length: number, wanted: number): void {
    if (wanted <= length) this.spend(Math.floor((length * (wanted + 16)) / searchWork));
  }
}

/** The filter needs more steps than allowed; it is unknown which items match. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';

  constructor() {
    super('the expression is too expensive: use fewer clauses, shorter patterns, or fewer any and all');
  }
}
