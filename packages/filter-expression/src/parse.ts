import type {
  Clause,
  ElementNames,
  Expression,
  LinearPattern,
  Selector,
  StateOperator,
  ValueOperator,
} from './expression.ts';
import {
  FilterSyntaxError,
  maxClasses,
  maxClauses,
  maxCollections,
  maxExpression,
  maxPrograms,
} from './expression.ts';
import { literalOf, numberLiteral, stringLiteral } from './literal.ts';
import { compilePattern, largestProgram, workOfClasses } from './pattern.ts';
import { Scanner } from './scanner.ts';

/** Deepest nesting of parentheses, braces and `not`. */
const maxDepth = 100;

/**
 * Parses a filter expression in go-bexpr's grammar (github.com/hashicorp/go-bexpr, grammar.peg).
 * @throws FilterSyntaxError with the position and the expected tokens
 */
export function parseFilter(text: string): Expression {
  if (text.length > maxExpression)
    throw new FilterSyntaxError(maxExpression, `an expression has at most ${maxExpression} characters`);
  const parser = new Parser(new Scanner(text));
  return parser.whole();
}

class Parser {
  readonly #scanner: Scanner;
  #depth = 0;
  #collections = 0;
  #clauses = 0;
  #programs = 0;
  #classes = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  whole(): Expression {
    const scanner = this.#scanner;
    scanner.optionalSpace();
    const expression = this.#or();
    scanner.optionalSpace();
    if (expression === undefined || !scanner.atEnd) throw scanner.error();
    return expression;
  }

  #or(): Expression | undefined {
    return this.#chain('or', () => this.#chain('and', () => this.#not()));
  }

  /** Operands joined by one operator, grouped to the right as in the grammar. */
  #chain(word: 'and' | 'or', operand: () => Expression | undefined): Expression | undefined {
    const scanner = this.#scanner;
    const starts = [scanner.at];
    const first = operand();
    if (first === undefined) return undefined;
    const operands = [first];
    let to = scanner.at;
    for (;;) {
      const next = scanner.attempt(() => {
        if (!scanner.takeWords(word) || !scanner.space()) return undefined;
        starts[operands.length] = scanner.at;
        return operand();
      });
      if (next === undefined) break;
      operands.push(next);
      to = scanner.at;
    }
    return operands.reduceRight((right, left, index) => ({
      kind: word,
      left,
      right,
      span: { from: starts[index] ?? 0, to },
    }));
  }

  #not(): Expression | undefined {
    const scanner = this.#scanner;
    return this.#nested(() => {
      const from = scanner.at;
      const operand = scanner.attempt(() =>
        scanner.take('not') && scanner.space() ? this.#not() : undefined,
      );
      if (operand !== undefined) return { kind: 'not', operand, span: { from, to: scanner.at } };
      const group = this.#group();
      if (group !== undefined) return group;
      const clause = this.#collection() ?? this.#selectorFirst() ?? this.#valueFirst();
      if (clause === undefined) return undefined;
      if (++this.#clauses > maxClauses) scanner.fail(`an expression has at most ${maxClauses} clauses`, from);
      return { ...clause, span: { from, to: scanner.at } };
    });
  }

  #group(): Expression | undefined {
    const scanner = this.#scanner;
    return scanner.attempt(() => {
      if (!scanner.take('(')) return undefined;
      scanner.optionalSpace();
      const inner = this.#or();
      scanner.optionalSpace();
      return inner !== undefined && scanner.take(')') ? inner : undefined;
    });
  }

  #collection(): Clause | undefined {
    const scanner = this.#scanner;
    return scanner.attempt(() => {
      const start = scanner.at;
      const kind = scanner.take('any') ? 'any' : scanner.take('all') ? 'all' : undefined;
      if (kind === undefined || !scanner.space()) return undefined;
      const selector = this.#selector();
      if (selector === undefined || !scanner.takeWords('as') || !scanner.space()) return undefined;
      const names = this.#names();
      scanner.optionalSpace();
      if (names === undefined || !scanner.take('{')) return undefined;
      scanner.optionalSpace();
      if (this.#collections === maxCollections)
        scanner.fail(`any and all can be nested at most ${maxCollections} deep`, start);
      this.#collections++;
      const body = this.#or();
      this.#collections--;
      scanner.optionalSpace();
      return body !== undefined && scanner.take('}') ? { kind, selector, names, body } : undefined;
    });
  }

  #names(): ElementNames | undefined {
    const scanner = this.#scanner;
    const name = (): string | undefined => scanner.takePattern(/[a-zA-Z_][a-zA-Z0-9_]*/y, 'a name');
    const first = name();
    if (first === undefined) return undefined;
    const second = scanner.attempt(() => {
      scanner.optionalSpace();
      if (!scanner.take(',')) return undefined;
      scanner.optionalSpace();
      return name();
    });
    const used = (given: string): string | undefined => (given === '_' ? undefined : given);
    if (second !== undefined) return { index: used(first), value: used(second) };
    return first === '_' ? undefined : { element: first };
  }

  #selectorFirst(): Clause | undefined {
    const scanner = this.#scanner;
    return scanner.attempt(() => {
      const selector = this.#selector();
      if (selector === undefined) return undefined;
      const state = this.#stateOperator();
      if (state !== undefined) return { kind: 'state', selector, operator: state };
      const operator = this.#valueOperator();
      if (operator === undefined) return undefined;
      return this.#compare(selector, operator);
    });
  }

  #compare(selector: Selector, operator: ValueOperator): Clause | undefined {
    const scanner = this.#scanner;
    const start = scanner.at;
    const value = this.#value();
    if (value === undefined) return undefined;
    if (operator !== 'matches' && operator !== 'not matches')
      return { kind: 'compare', selector, operator, ...literalOf(value) };
    const pattern = this.#pattern(value, start);
    return { kind: 'compare', selector, operator, ...literalOf(value), pattern };
  }

  #valueFirst(): Clause | undefined {
    const scanner = this.#scanner;
    return scanner.attempt(() => {
      const value = this.#value();
      if (value === undefined) return undefined;
      const operator = scanner.takeWords('not', 'in') ? 'not in' : scanner.takeWords('in') ? 'in' : undefined;
      if (operator === undefined || !scanner.space()) return undefined;
      const selector = this.#selector();
      return selector === undefined
        ? undefined
        : { kind: 'compare', selector, operator, ...literalOf(value) };
    });
  }

  #stateOperator(): StateOperator | undefined {
    const scanner = this.#scanner;
    if (scanner.takeWords('is', 'empty')) return 'is empty';
    if (scanner.takeWords('is', 'not', 'empty')) return 'is not empty';
    if (scanner.takeWords('is', 'nil')) return 'is nil';
    if (scanner.takeWords('is', 'not', 'nil')) return 'is not nil';
    return undefined;
  }

  #valueOperator(): ValueOperator | undefined {
    const scanner = this.#scanner;
    const symbol = scanner.attempt(() => {
      scanner.optionalSpace();
      const found = scanner.take('==') ? '==' : scanner.take('!=') ? '!=' : undefined;
      if (found !== undefined) scanner.optionalSpace();
      return found;
    });
    if (symbol !== undefined) return symbol;
    return scanner.attempt(() => {
      const word: ValueOperator | undefined = scanner.takeWords('contains')
        ? 'in'
        : scanner.takeWords('not', 'contains')
          ? 'not in'
          : scanner.takeWords('matches')
            ? 'matches'
            : scanner.takeWords('not', 'matches')
              ? 'not matches'
              : undefined;
      return word !== undefined && scanner.space() ? word : undefined;
    });
  }

  /** A JSON pointer in double quotes, or names joined by dots and brackets. */
  #selector(): Selector | undefined {
    const scanner = this.#scanner;
    const pointer = scanner.takePattern(/"(?:\/[\p{L}\p{N}_.~:|-]+)*"/uy, 'a selector such as "/item/name"');
    if (pointer !== undefined) {
      const segments = pointer.slice(1, -1).split('/').slice(1);
      return { path: segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')) };
    }
    const first = scanner.takePattern(/[a-zA-Z][a-zA-Z0-9_/]*/y, 'a selector such as "/item/name"');
    if (first === undefined) return undefined;
    const path = [first];
    for (;;) {
      const next = scanner.attempt(() => this.#step());
      if (next === undefined) return { path };
      path.push(next);
    }
  }

  #step(): string | undefined {
    const scanner = this.#scanner;
    const dotted = scanner.takePattern(/\.(?:[a-zA-Z][a-zA-Z0-9_/]*|[0-9]+)/y, '"."');
    if (dotted !== undefined) return dotted.slice(1);
    if (!scanner.take('[')) return undefined;
    scanner.optionalSpace();
    const key = stringLiteral(scanner);
    scanner.optionalSpace();
    return key !== undefined && scanner.take(']') ? key : undefined;
  }

  #value(): string | undefined {
    const scanner = this.#scanner;
    const word = scanner.attempt(() =>
      scanner.text[scanner.at] === '"' ? undefined : this.#selector()?.path.join('.'),
    );
    return word ?? numberLiteral(scanner) ?? stringLiteral(scanner);
  }

  #pattern(source: string, position: number): LinearPattern {
    this.#programs += largestProgram(source);
    if (this.#programs > maxPrograms)
      this.#scanner.fail(
        `the regular expressions are too large in total; shorten them or their repetitions, such as {1,1000}, or nest fewer groups`,
        position,
      );
    this.#classes += workOfClasses(source);
    if (this.#classes > maxClasses)
      this.#scanner.fail(
        'the regular expressions have too many classes such as \\pL, or ranges beyond ASCII that ignore case',
        position,
      );
    try {
      return compilePattern(source);
    } catch {
      return this.#scanner.fail('the regular expression is not valid', position);
    }
  }

  #nested(parse: () => Expression | undefined): Expression | undefined {
    if (this.#depth >= maxDepth) this.#scanner.fail('the expression is nested too deeply');
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }
}
