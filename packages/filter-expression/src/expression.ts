/** Where a value is found: map keys and list positions from the outside in. */
export interface Selector {
  readonly path: readonly string[];
}

/** Comparisons that need a value. `in` and `contains` are one, seen from either side. */
export type ValueOperator = '==' | '!=' | 'in' | 'not in' | 'matches' | 'not matches';

/** Questions about a selected value alone. */
export type StateOperator = 'is empty' | 'is not empty' | 'is nil' | 'is not nil';

/** A regular expression whose matching time is at most its size times the length of the text. */
export interface LinearPattern {
  /** How many instructions it compiles to. */
  readonly size: number;
  /** Whether the pattern is found anywhere in `text`. */
  test(text: string): boolean;
}

/** The part of the text that an expression was read from, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Longest expression, in UTF-16 units. */
export const maxExpression = 4096;
/** Most clauses of an expression, of which `any` and `all` are one each. */
export const maxClauses = 200;
/** Most `any` and `all` inside each other: each multiplies the work by the number of its elements. */
export const maxCollections = 3;
/** Most instructions of all patterns of an expression together. */
export const maxPrograms = 10_000;
/** Most `\p` and `\P` of all patterns of an expression together; a range that ignores case counts as up to 18. */
export const maxClasses = 50;

/** What values are compared with; what it means depends on their type. It is read once, not for each of them. */
export interface Literal {
  /** As written. */
  readonly value: string;
  /** To a number; undefined where it is none. */
  readonly number: number | undefined;
  /** To a truth value; undefined where it is none. */
  readonly truth: boolean | undefined;
}

/** A filter expression, in the language of go-bexpr. */
export type Expression = Clause & { readonly span: Span };

/** What an expression says, wherever it is written. */
export type Clause =
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | (Literal & {
      readonly kind: 'compare';
      readonly selector: Selector;
      readonly operator: ValueOperator;
      /** Of `matches` and `not matches`. */
      readonly pattern?: LinearPattern;
    })
  | { readonly kind: 'state'; readonly selector: Selector; readonly operator: StateOperator }
  | {
      readonly kind: 'any' | 'all';
      readonly selector: Selector;
      readonly names: ElementNames;
      readonly body: Expression;
    };

/** The names that a collection's elements have inside the braces. */
export type ElementNames =
  /** `as x`: the value in a list, the key in a map. */
  | { readonly element: string }
  /** `as i, x`, either of which may be `_`: position or key, and value. */
  | { readonly index: string | undefined; readonly value: string | undefined };

/** An expression that cannot be read. */
export class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError';
  /** Where reading stopped, counted in characters from 0. */
  readonly position: number;

  constructor(position: number, problem: string) {
    super(`at character ${position + 1}: ${problem}`);
    this.position = position;
  }
}
