import { isDeepStrictEqual } from 'node:util';
import type { Grant } from './grant.ts';
import type { ParameterValue } from './policy.ts';

/**
 * What comparing a request's values with a grant's may cost, in steps of 50 to 75 ns: 5 to 8 ms in all. Names in several
 * cases are compared with the same values.
 */
const mostCompared = 100_000;

/** The verdicts on the bodies of the current requests. A grant doesn't change: changed policies have new ones. */
const verdicts = new WeakMap<object, WeakMap<Grant, boolean>>();

/**
 * Whether a grant permits a body: required members are present, none is denied, and all are allowed. A list is allowed if
 * each of its values is, and denied if one is, as in Vault since 1.21, in whatever form an engine would read it. A body
 * that would take too many comparisons isn't permitted. A request is judged several times, and its body compared once.
 * @param body not to be changed afterwards
 */
export function parametersAllowed(grant: Grant, body: Readonly<Record<string, unknown>>): boolean {
  return verdicts
    .getOrInsertComputed(body, () => new WeakMap())
    .getOrInsertComputed(grant, () => compare(grant, body));
}

/** Denied values in lower case, like the readings of a value. */
const lowered = new WeakMap<readonly ParameterValue[], readonly ParameterValue[]>();

function inLowerCase(values: readonly ParameterValue[]): readonly ParameterValue[] {
  return lowered.getOrInsertComputed(values, () =>
    values.map((each) => (typeof each === 'string' ? each.toLowerCase() : each)),
  );
}

function compare(grant: Grant, body: Readonly<Record<string, unknown>>): boolean {
  const given = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const);
  // As in Vault, only the exact name counts, which is the one that engines read.
  for (const name of grant.required ?? [])
    if (!Object.hasOwn(body, name) || !isGiven(body[name])) return false;
  if (given.length === 0) return true;

  const { denied, allowed } = grant;
  let left = mostCompared;
  /** An empty list allows any value. */
  const isAmong = (value: unknown, values: readonly ParameterValue[]): boolean =>
    values.length === 0 ||
    (left >= 0 &&
      values.some((each) => {
        if (left < 0) return false;
        left -= costOf(each, value);
        return left >= 0 && isMeant(value, each);
      }));
  if (denied?.has('*') === true) return false;
  for (const [name, value] of given) {
    const values = denied?.get(name);
    if (values === undefined) continue;
    left -= costOfParts * partsOf(value).length;
    const meant = inLowerCase(values);
    if (left < 0 || readingsOf(value).some((each) => isAmong(each, meant)) || left < 0) return false;
  }

  if (allowed === undefined || allowed.size === 0) return true;
  const anyName = allowed.has('*');
  if (anyName && allowed.size === 1) return true;
  return given.every(([name, value]) => {
    const values = allowed.get(name);
    if (values === undefined) return anyName;
    const areAmong = (parts: readonly unknown[]) => parts.every((each) => isAmong(each, values));
    // An empty list may mean the default, which the grant needn't allow.
    if (Array.isArray(value)) return isAmong(value, values) || (value.length > 0 && areAmong(value));
    if (typeof value !== 'string' || !value.includes(',') || values.includes(value))
      return isAmong(value, values);
    // A pattern that fits the whole text needn't fit each of its values.
    const parts = partsOf(value);
    left -= costOfParts * parts.length;
    return left >= 0 && areAmong(parts);
  });
}

/** Whether a value isn't null or empty: engines would read the default instead. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return /[^\s,]/.test(value);
  return Array.isArray(value) ? value.some(isGiven) : value !== null;
}

/** The steps that reading one of several values takes. */
const costOfParts = 20;

/** The values of a list, also of a text with commas. Of more than are ever compared, only some. */
function partsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string')
    return value.split(',', mostCompared / costOfParts + 1).map((part) => part.trim());
  return Array.isArray(value) ? value : [value];
}

/**
 * What an engine may read a value as, since engines are as lenient as Vault's: the values of a list, also of a text with
 * commas, without spaces around them, in lower case, and numbers and truth values that are written in other ways.
 */
function readingsOf(value: unknown): readonly unknown[] {
  const readings = new Set<unknown>();
  for (const part of [value, ...partsOf(value)]) {
    if (typeof part !== 'string') readings.add(part);
    if (typeof part !== 'string' && typeof part !== 'number' && typeof part !== 'boolean') continue;
    const written = String(part).toLowerCase();
    const text = written.trim();
    readings.add(written).add(text);
    if (/^[+-]?\d{1,100}$/.test(text)) readings.add(Number(text)).add(String(Number(text)));
    for (const [truth, words] of truths) if (words.includes(text)) readings.add(truth).add(String(truth));
  }
  return [...readings];
}

const truths: readonly (readonly [boolean, readonly string[]])[] = [
  [true, ['true', 't', '1']],
  [false, ['false', 'f', '0', '']],
];

/**
 * The steps of a comparison, as measured in the worst case: three for a list and those of its values; one for each 100
 * characters that two texts can have in common; and for a search, one for each 10 characters of the text, however short
 * the pattern, and one for each 500 pairs of a character of either: it compares from every position again if both repeat
 * a letter.
 */
function costOf(meant: ParameterValue, value?: unknown): number {
  if (typeof meant === 'object' && meant !== null)
    return meant.reduce<number>((sum, each) => sum + costOf(each), 3);
  if (typeof meant !== 'string') return 1;
  if (typeof value !== 'string') return 1 + meant.length / 100;
  if (meant.startsWith('*') && meant.endsWith('*')) return 1 + value.length * (1 / 10 + meant.length / 500);
  return 1 + Math.min(value.length, meant.length) / 100;
}

function isMeant(value: unknown, meant: ParameterValue): boolean {
  if (meant === '*') return true;
  if (typeof meant === 'object') return isDeepStrictEqual(value, meant);
  if (typeof value !== 'string' || typeof meant !== 'string') return Object.is(value, meant);
  const rest = meant.slice(meant.startsWith('*') ? 1 : 0, meant.endsWith('*') ? -1 : undefined);
  if (meant.startsWith('*') && meant.endsWith('*')) return value.includes(rest);
  if (meant.startsWith('*')) return value.endsWith(rest);
  if (meant.endsWith('*')) return value.startsWith(rest);
  return value === meant;
}
