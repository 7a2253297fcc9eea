/** The path to a value: map keys and list positions from the outside in. */
export interface Selector {
  readonly path: readonly string[];
}

/** Operators with a value. `in` and `contains` are the same, with the operands swapped. */
export type ValueOperator = '==' | '!=' | 'in' | 'not in' | 'matches' | 'not matches';

/** Operators on a selected value without another value. */
export type StateOperator = 'is empty' | 'is not empty' | 'is nil' | 'is not nil';

/** A regular expression whose matching time is at most its size times the text's length. */
export interface LinearPattern {
  /** Number of instructions it compiles to. */
  readonly size: number;
  /** Whether the pattern is found anywhere in `text`. */
  test(text: string): boolean;
}

/** The range of the text that an expression was parsed from, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Longest expression, in UTF-16 units. */
export const maxExpression = 4096;
/** Most clauses of an expression; `any` and `all` count as one each. */
export const maxClauses = 200;
/** Most nested `any` and `all`. Each level multiplies the work by the number of its elements. */
export const maxCollections = 3;
/** Most instructions of all patterns in an expression. */
export const maxPrograms = 10_000;
/** Most `\p` and `\P` of all patterns in an expression; a case-insensitive range counts as up to 18. */
export const maxClasses = 50;

/** A literal in every type that it may be compared with, converted once when parsed. */
export interface Literal {
  /** As written. */
  readonly value: string;
  /** As a number; undefined if it isn't one. */
  readonly number: number | undefined;
  /** As a boolean; undefined if it isn't one. */
  readonly truth: boolean | undefined;
}

/** A filter expression, in the language of go-bexpr. */
export type Expression = Clause & { readonly span: Span };

/** The content of an expression, without its position. */
export type Clause =
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | (Literal & {
      readonly kind: 'compare';
      readonly selector: Selector;
      readonly operator: ValueOperator;
      /** For `matches` and `not matches`. */
      readonly pattern?: LinearPattern;
    })
  | { readonly kind: 'state'; readonly selector: Selector; readonly operator: StateOperator }
  | {
      readonly kind: 'any' | 'all';
      readonly selector: Selector;
      readonly names: ElementNames;
      readonly body: Expression;
    };

/** The names of a collection's elements in the braces. */
export type ElementNames =
  /** `as x`: the value in a list, the key in a map. */
  | { readonly element: string }
  /** `as i, x`, either of which may be `_`: the position or key, and the value. */
  | { readonly index: string | undefined; readonly value: string | undefined };

/** The expression can't be parsed. */
export class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError';
  /** Where parsing failed, in UTF-16 units from 0. */
  readonly position: number;

  constructor(position: number, problem: string) {
    super(`at character ${position + 1}: ${problem}`);
    this.position = position;
  }
}
