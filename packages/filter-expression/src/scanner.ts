import { FilterSyntaxError } from './expression.ts';

/**
 * Reads an expression character by character. Parsing tries alternatives: a method that doesn't match returns undefined
 * or false without advancing, and the farthest failed position becomes the error.
 */
export class Scanner {
  readonly text: string;
  at = 0;
  #farthest = 0;
  readonly #expected = new Set<string>();

  constructor(text: string) {
    this.text = text;
  }

  /** Runs `parse`, and doesn't advance if it returns undefined. */
  attempt<Result>(parse: () => Result | undefined): Result | undefined {
    const start = this.at;
    const result = parse();
    if (result === undefined) this.at = start;
    return result;
  }

  /** Consumes `literal` if it is next. */
  take(literal: string): boolean {
    if (this.text.startsWith(literal, this.at)) {
      this.at += literal.length;
      return true;
    }
    this.missed(`"${literal}"`);
    return false;
  }

  /** Consumes a match of the sticky pattern. @returns the matched text */
  takePattern(pattern: RegExp, what: string): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) {
      this.missed(what);
      return undefined;
    }
    this.at += found.length;
    return found;
  }

  /** Consumes consecutive words, each with leading white space. */
  takeWords(...words: readonly string[]): boolean {
    return (
      this.attempt(() => {
        for (const word of words) {
          if (!this.space() || !this.take(word)) return undefined;
        }
        return true;
      }) ?? false
    );
  }

  /** Consumes white space. @returns whether there was any */
  space(): boolean {
    return this.takePattern(/[ \t\r\n]+/y, 'white space') !== undefined;
  }

  /** Consumes white space, if any. */
  optionalSpace(): void {
    const space = /[ \t\r\n]*/y;
    space.lastIndex = this.at;
    this.at += space.exec(this.text)?.[0].length ?? 0;
  }

  get atEnd(): boolean {
    if (this.at === this.text.length) return true;
    this.missed('the end');
    return false;
  }

  /** Records what was expected at this position. */
  missed(what: string): void {
    if (this.at > this.#farthest) {
      this.#farthest = this.at;
      this.#expected.clear();
    }
    if (this.at === this.#farthest) this.#expected.add(what);
  }

  /** The error if no alternative matches. */
  error(): FilterSyntaxError {
    const wanted = [...this.#expected].filter((what) => what !== 'white space');
    const found =
      this.#farthest >= this.text.length
        ? 'the expression ends'
        : `"${this.text.charAt(this.#farthest)}" is unexpected`;
    const hint = wanted.length === 0 ? 'white space' : wanted.slice(0, 6).join(', ');
    return new FilterSyntaxError(this.#farthest, `${found}; expected ${hint}`);
  }

  /** Fails with a specific error. */
  fail(problem: string, position: number = this.at): never {
    throw new FilterSyntaxError(position, problem);
  }
}
