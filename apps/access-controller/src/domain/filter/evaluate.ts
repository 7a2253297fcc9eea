import type { Expression, Selector, StateOperator, ValueOperator } from './expression.ts';

/** Values that the names of `any … as x` stand for, innermost first. */
interface Bindings {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Bindings | undefined;
}

/** A question that makes no sense for the value it was asked about, such as a number that contains something. */
class Inapplicable extends Error {}

/**
 * Whether a filter matches plain JSON data. As in the field, a filter that makes no sense for an item (such as a
 * number that matches a pattern) does not match it; that is no error.
 */
export function matchesFilter(expression: Expression, datum: unknown): boolean {
  try {
    return evaluate(expression, datum, undefined);
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

function evaluate(expression: Expression, datum: unknown, bindings: Bindings | undefined): boolean {
  switch (expression.kind) {
    case 'and':
      return evaluate(expression.left, datum, bindings) && evaluate(expression.right, datum, bindings);
    case 'or':
      return evaluate(expression.left, datum, bindings) || evaluate(expression.right, datum, bindings);
    case 'not':
      return !evaluate(expression.operand, datum, bindings);
    case 'state':
      return evaluateState(expression.operator, select(expression.selector, datum, bindings));
    case 'compare': {
      const selected = select(expression.selector, datum, bindings);
      if (selected === undefined || selected === null) return isNegative(expression.operator);
      const holds = compare(expression, selected);
      return isNegative(expression.operator) ? !holds : holds;
    }
    case 'any':
    case 'all': {
      const selected = select(expression.selector, datum, bindings) ?? [];
      for (const [index, value] of elements(selected)) {
        const found = evaluate(
          expression.body,
          datum,
          bind(expression.names, selected, index, value, bindings),
        );
        if (found === (expression.kind === 'any')) return found;
      }
      return expression.kind === 'all';
    }
  }
}

function isNegative(operator: ValueOperator): boolean {
  return operator === '!=' || operator === 'not in' || operator === 'not matches';
}

function evaluateState(operator: StateOperator, selected: unknown): boolean {
  const nil = selected === undefined || selected === null;
  switch (operator) {
    case 'is nil':
      return nil;
    case 'is not nil':
      return !nil;
    case 'is empty':
      return nil || sizeOf(selected) === 0;
    case 'is not empty':
      return !nil && sizeOf(selected) > 0;
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw new Inapplicable();
}

function compare(expression: Expression & { readonly kind: 'compare' }, selected: unknown): boolean {
  switch (expression.operator) {
    case '==':
    case '!=':
      return equals(selected, expression.value);
    case 'in':
    case 'not in':
      return contains(selected, expression.value);
    case 'matches':
    case 'not matches':
      if (typeof selected !== 'string' || expression.pattern === undefined) throw new Inapplicable();
      return expression.pattern.test(selected);
  }
}

/** Compares with a written value, which is read as the type of the stored one. */
function equals(stored: unknown, written: string): boolean {
  switch (typeof stored) {
    case 'string':
      return stored === written;
    case 'number':
      if (!/^-?\d+(?:\.\d+)?$/.test(written)) throw new Inapplicable();
      return stored === Number(written);
    case 'boolean':
      if (/^(?:1|t|T|TRUE|true|True)$/.test(written)) return stored;
      if (/^(?:0|f|F|FALSE|false|False)$/.test(written)) return !stored;
      throw new Inapplicable();
    default:
      throw new Inapplicable();
  }
}

function contains(stored: unknown, written: string): boolean {
  if (typeof stored === 'string') return stored.includes(written);
  if (Array.isArray(stored)) return stored.some((element: unknown) => matchesElement(element, written));
  if (isMap(stored)) return Object.hasOwn(stored, written);
  throw new Inapplicable();
}

function matchesElement(element: unknown, written: string): boolean {
  try {
    return equals(element, written);
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

/** The selected value; undefined when a map lacks the last key of the path. */
function select(selector: Selector, datum: unknown, bindings: Bindings | undefined): unknown {
  let [first, ...rest] = selector.path;
  let value = datum;
  for (let scope = bindings; scope !== undefined; scope = scope.outer) {
    if (scope.name !== first) continue;
    value = scope.value;
    [first, ...rest] = rest;
    break;
  }
  while (first !== undefined) {
    if (Array.isArray(value)) {
      if (!/^\d+$/.test(first) || Number(first) >= value.length) throw new Inapplicable();
      value = value[Number(first)] as unknown;
    } else if (isMap(value)) {
      if (!Object.hasOwn(value, first)) {
        if (rest.length > 0) throw new Inapplicable();
        return undefined;
      }
      value = value[first];
    } else {
      throw new Inapplicable();
    }
    [first, ...rest] = rest;
  }
  return value;
}

function elements(collection: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(collection)) return [...collection.entries()];
  if (isMap(collection)) return Object.entries(collection);
  throw new Inapplicable();
}

function bind(
  names: (Expression & { readonly kind: 'any' })['names'],
  collection: unknown,
  index: string | number,
  value: unknown,
  outer: Bindings | undefined,
): Bindings | undefined {
  if ('element' in names)
    return { name: names.element, value: Array.isArray(collection) ? value : index, outer };
  let bindings = outer;
  if (names.index !== undefined) bindings = { name: names.index, value: index, outer: bindings };
  if (names.value !== undefined) bindings = { name: names.value, value, outer: bindings };
  return bindings;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
