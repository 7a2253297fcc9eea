/** Evaluation of single clauses, shared by the evaluation of an expression and its explanation. */
import type { Budget } from './budget.ts';
import type { Clause, ElementNames, Literal, Selector, StateOperator, ValueOperator } from './expression.ts';

/** Values bound to the names of `any … as x`, innermost first. */
export interface Bindings {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Bindings | undefined;
}

/** A clause doesn't apply to its value, such as a number that contains something. */
export class Inapplicable extends Error {
  override readonly name = 'Inapplicable';
}

/**
 * Whether a comparison holds for a selected value.
 * @throws Inapplicable
 * @throws BudgetSpent
 */
export function compareHolds(
  clause: Clause & { readonly kind: 'compare' },
  selected: unknown,
  budget: Budget,
): boolean {
  if (selected === undefined || selected === null) return isNegative(clause.operator);
  const holds = compare(clause, selected, budget);
  return isNegative(clause.operator) ? !holds : holds;
}

function isNegative(operator: ValueOperator): boolean {
  return operator === '!=' || operator === 'not in' || operator === 'not matches';
}

/**
 * Whether a state clause holds for a selected value.
 * @throws Inapplicable
 * @throws BudgetSpent
 */
export function stateHolds(operator: StateOperator, selected: unknown, budget: Budget): boolean {
  const nil = selected === undefined || selected === null;
  switch (operator) {
    case 'is nil':
      return nil;
    case 'is not nil':
      return !nil;
    case 'is empty':
      return nil || sizeOf(selected, budget) === 0;
    case 'is not empty':
      return !nil && sizeOf(selected, budget) > 0;
  }
}

function sizeOf(value: unknown, budget: Budget): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (isMap(value)) return keysOf(value, budget).length;
  throw new Inapplicable(`${kindOf(value)} can't be empty`);
}

/** The number of keys is only known after listing them, so they are charged here. */
function keysOf(map: Readonly<Record<string, unknown>>, budget: Budget): readonly string[] {
  const keys = Object.keys(map);
  budget.spend(keys.length);
  return keys;
}

function compare(clause: Clause & { readonly kind: 'compare' }, selected: unknown, budget: Budget): boolean {
  switch (clause.operator) {
    case '==':
    case '!=': {
      const equal = equals(selected, clause);
      if (equal === undefined) throw new Inapplicable(whyIncomparable(selected, clause.value));
      return equal;
    }
    case 'in':
    case 'not in':
      return contains(selected, clause, budget);
    case 'matches':
    case 'not matches':
      if (typeof selected !== 'string' || clause.pattern === undefined)
        throw new Inapplicable(`${kindOf(selected)} cannot be matched with a pattern`);
      budget.spendPattern(clause.pattern.size, selected.length);
      return clause.pattern.test(selected);
  }
}

/**
 * Compares a stored value with a literal, converted to the stored value's type. Undefined if it can't be converted,
 * which is not an error: list elements may have other types.
 */
function equals(stored: unknown, { value, number, truth }: Literal): boolean | undefined {
  switch (typeof stored) {
    case 'string':
      return stored === value;
    case 'number':
      return number === undefined ? undefined : stored === number;
    case 'boolean':
      return truth === undefined ? undefined : stored === truth;
    default:
      return undefined;
  }
}

function whyIncomparable(stored: unknown, written: string): string {
  if (typeof stored === 'number') return `"${written}" is not a number`;
  if (typeof stored === 'boolean') return `"${written}" is neither true nor false`;
  return `${kindOf(stored)} cannot be compared with a string`;
}

function contains(stored: unknown, literal: Literal, budget: Budget): boolean {
  if (typeof stored === 'string') {
    budget.spendSearch(stored.length, literal.value.length);
    return stored.includes(literal.value);
  }
  if (Array.isArray(stored)) {
    budget.spend(stored.length);
    return stored.some((element: unknown) => equals(element, literal));
  }
  if (isMap(stored)) return Object.hasOwn(stored, literal.value);
  throw new Inapplicable(`${kindOf(stored)} can't contain a value`);
}

/** Path segments, and digits of a list position, that count as one step. */
const segmentWork = 4;
const digitWork = 32;

/**
 * The selected value; undefined if a map lacks the last key of the path.
 * @throws Inapplicable if the path ends early
 * @throws BudgetSpent
 */
export function select(
  { path }: Selector,
  datum: unknown,
  bindings: Bindings | undefined,
  budget: Budget,
): unknown {
  budget.spend(Math.floor(path.length / segmentWork));
  let at = 0;
  let value = datum;
  for (let scope = bindings; scope !== undefined; scope = scope.outer) {
    if (scope.name !== path[0]) continue;
    value = scope.value;
    at = 1;
    break;
  }
  for (let key = path[at]; key !== undefined; key = path[++at]) {
    if (Array.isArray(value)) {
      budget.spend(Math.floor(key.length / digitWork));
      if (!/^\d+$/.test(key) || Number(key) >= value.length)
        throw new Inapplicable(`the list has no element "${key}"`);
      value = value[Number(key)] as unknown;
    } else if (isMap(value)) {
      if (!Object.hasOwn(value, key)) {
        if (at < path.length - 1) throw new Inapplicable(`"${key}" doesn't exist`);
        return undefined;
      }
      value = value[key];
    } else {
      throw new Inapplicable(`${kindOf(value)} can't contain "${key}"`);
    }
  }
  return value;
}

/**
 * The elements that `any` and `all` iterate over: positions and values of a list, keys and values of a map.
 * @throws Inapplicable
 * @throws BudgetSpent
 */
export function* elements(
  collection: unknown,
  budget: Budget,
): Generator<readonly [string | number, unknown]> {
  if (Array.isArray(collection)) yield* collection.entries();
  else if (isMap(collection)) for (const key of keysOf(collection, budget)) yield [key, collection[key]];
  else throw new Inapplicable(`${kindOf(collection)} has no elements`);
}

/** Binds the names in the braces to one element. */
export function bind(
  names: ElementNames,
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

/** A value's type in words: `A number`. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'No value';
  if (Array.isArray(value)) return 'A list';
  switch (typeof value) {
    case 'string':
      return 'A string';
    case 'number':
      return 'A number';
    case 'boolean':
      return 'A boolean';
    default:
      return 'A map';
  }
}
