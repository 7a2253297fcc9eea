/**
 * Most steps that the evaluation of one item takes. A step takes some 0.1 µs, and up to 0.4 µs for the slowest patterns,
 * so nobody else waits longer than some 100 ms for a single item; whoever judges many gives way between them.
 */
const maxStepsOfItem = 250_000;

/** What an item takes before its first clause, or by a clause that makes no sense for it and throws. */
const stepsOfItem = 20;

/** Instructions of a pattern times characters of a text that count as one step. */
const patternWork = 8;

/** Characters of a text times those of one that is looked for that count as one step. */
const searchWork = 256;

/** The steps that evaluations may take together: for each clause and element of a collection, and by the length of texts. */
export class Budget {
  #left: number;
  #leftForItem = 0;

  /** @param steps for all items; as many as one item may take, unless given */
  constructor(steps = maxStepsOfItem) {
    this.#left = steps;
  }

  /** Begins with the next item. @throws BudgetSpent */
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
   * Before a pattern is looked for in a text.
   * @param size instructions of the pattern
   * @param length UTF-16 units of the text
   * @throws BudgetSpent
   */
  spendPattern(size: number, length: number): void {
    // Some instructions look at places between characters, of which an empty text has one.
    this.spend(Math.ceil((size * (length + 1)) / patternWork));
  }

  /**
   * Before a text is looked for in another. That takes some steps for each thousand characters, unless every place begins
   * like the one that is looked for: "aaaba" in "aaaa…".
   * @param length UTF-16 units of the text that is searched
   * @param wanted of the text that is looked for
   * @throws BudgetSpent
   */
  spendSearch(length: number, wanted: number): void {
    if (wanted <= length) this.spend(Math.floor((length * (wanted + 16)) / searchWork));
  }
}

/** A filter that takes more steps than it may. It says nothing about the items. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';

  constructor() {
    super('the expression is too expensive: use fewer clauses, shorter patterns, or fewer any and all');
  }
}
