/** What the clauses of an expression ask of a value; shared by the evaluation and its explanation. */
import type { Budget } from './budget.ts';
import type { Clause, ElementNames, Selector, StateOperator, ValueOperator } from './expression.ts';

/** Values that the names of `any … as x` stand for, innermost first. */
export interface Bindings {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Bindings | undefined;
}

/** A question that makes no sense for the value it was asked about, such as a number that contains something. */
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
 * Whether a selected value is in a state.
 * @throws Inapplicable
 */
export function stateHolds(operator: StateOperator, selected: unknown): boolean {
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
  throw new Inapplicable(`${kindOf(value)} is neither empty nor not`);
}

function compare(clause: Clause & { readonly kind: 'compare' }, selected: unknown, budget: Budget): boolean {
  switch (clause.operator) {
    case '==':
    case '!=':
      return equals(selected, clause.value);
    case 'in':
    case 'not in':
      budget.spend(workOfContains(selected));
      return contains(selected, clause.value);
    case 'matches':
    case 'not matches':
      if (typeof selected !== 'string' || clause.pattern === undefined)
        throw new Inapplicable(`${kindOf(selected)} cannot be matched with a pattern`);
      budget.spendPattern(clause.pattern.size, selected.length);
      return clause.pattern.test(selected);
  }
}

/** Compares with a written value, which is read as the type of the stored one. */
function equals(stored: unknown, written: string): boolean {
  switch (typeof stored) {
    case 'string':
      return stored === written;
    case 'number':
      if (!/^-?\d+(?:\.\d+)?$/.test(written)) throw new Inapplicable(`"${written}" is no number`);
      return stored === Number(written);
    case 'boolean':
      if (/^(?:1|t|T|TRUE|true|True)$/.test(written)) return stored;
      if (/^(?:0|f|F|FALSE|false|False)$/.test(written)) return !stored;
      throw new Inapplicable(`"${written}" is neither true nor false`);
    default:
      throw new Inapplicable(`${kindOf(stored)} cannot be compared with a text`);
  }
}

/** Each element of a list is a comparison; a text is searched some sixty characters in a step. */
function workOfContains(stored: unknown): number {
  if (Array.isArray(stored)) return stored.length;
  return typeof stored === 'string' ? stored.length >> 6 : 0;
}

function contains(stored: unknown, written: string): boolean {
  if (typeof stored === 'string') return stored.includes(written);
  if (Array.isArray(stored)) return stored.some((element: unknown) => matchesElement(element, written));
  if (isMap(stored)) return Object.hasOwn(stored, written);
  throw new Inapplicable(`${kindOf(stored)} contains nothing`);
}

function matchesElement(element: unknown, written: string): boolean {
  try {
    return equals(element, written);
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

/**
 * The selected value; undefined when a map lacks the last key of the path.
 * @throws Inapplicable where the path leads nowhere before its end
 */
export function select(selector: Selector, datum: unknown, bindings: Bindings | undefined): unknown {
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
      if (!/^\d+$/.test(first) || Number(first) >= value.length)
        throw new Inapplicable(`the list has no element "${first}"`);
      value = value[Number(first)] as unknown;
    } else if (isMap(value)) {
      if (!Object.hasOwn(value, first)) {
        if (rest.length > 0) throw new Inapplicable(`there is no "${first}"`);
        return undefined;
      }
      value = value[first];
    } else {
      throw new Inapplicable(`there is no "${first}" in ${kindOf(value).toLowerCase()}`);
    }
    [first, ...rest] = rest;
  }
  return value;
}

/**
 * What `any` and `all` go over: positions and values of a list, keys and values of a map.
 * @throws Inapplicable
 */
export function elements(collection: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(collection)) return [...collection.entries()];
  if (isMap(collection)) return Object.entries(collection);
  throw new Inapplicable(`${kindOf(collection)} has no elements`);
}

/** The names inside the braces, for one element. */
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

/** What a value is, in words: `A number`. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'No value';
  if (Array.isArray(value)) return 'A list';
  switch (typeof value) {
    case 'string':
      return 'A text';
    case 'number':
      return 'A number';
    case 'boolean':
      return 'A truth value';
    default:
      return 'A map';
  }
}
