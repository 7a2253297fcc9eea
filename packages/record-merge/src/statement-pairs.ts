/** Pairs the statements of two policy documents: by Sid, or without one by equal content or most members in common. */
import { isPlainObject } from './container.ts';
import { deepEqual } from './equal.ts';
import type { PolicyDocument } from './policy-document.ts';

export type Statements = PolicyDocument['statements'];
export type Statement = Statements[number];
export type Pairs = readonly (readonly [Statement, Statement])[];

/** Pairs of statements that are certainly the same: with a unique Sid, or with equal content. */
export function samePairs(first: Statements, second: Statements): Pairs {
  const pairs = new Map<Statement, Statement>();
  const taken = new Set<Statement>();
  for (const keysOf of [uniqueSids, canonicals]) {
    const waiting = new Map<string, Statement[]>();
    for (const [statement, key] of keysOf(second)) {
      if (!taken.has(statement)) waiting.set(key, [...(waiting.get(key) ?? []), statement]);
    }
    for (const [statement, key] of keysOf(first)) {
      const found = pairs.has(statement) ? undefined : waiting.get(key)?.shift();
      if (found === undefined) continue;
      pairs.set(statement, found);
      taken.add(found);
    }
  }
  return [...pairs];
}

function uniqueSids(list: Statements): readonly (readonly [Statement, string])[] {
  const keyed = list.flatMap((statement): (readonly [Statement, string])[] => {
    const sid = statement['Sid'];
    return typeof sid === 'string' && sid !== '' ? [[statement, sid]] : [];
  });
  const counts = Map.groupBy(keyed, ([, sid]) => sid);
  return keyed.filter(([, sid]) => counts.get(sid)?.length === 1);
}

function canonicals(list: Statements): readonly (readonly [Statement, string])[] {
  return list.map((statement) => [statement, canonical(statement)]);
}

/** A text that is the same for equal values, whatever their key order. */
function canonical(value: unknown): string {
  // Concatenated, because joining would copy inner texts again at each level.
  if (Array.isArray(value))
    return `${value.reduce<string>((text, item) => `${text}${canonical(item)},`, '[')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `${keys.reduce((text, key) => `${text}${JSON.stringify(key)}:${canonical(value[key])},`, '{')}}`;
}

/** Pairs of statements in which one may be an edit of the other, those with the most in common first. */
export function similarPairs(first: Statements, second: Statements): Pairs {
  const candidates = first
    .flatMap((from, index) =>
      second.map((to, other) => ({ from, to, alike: likeness(from, to), apart: Math.abs(index - other) })),
    )
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike || a.apart - b.apart);
  const pairs = new Map<Statement, Statement>();
  const taken = new Set<Statement>();
  for (const { from, to } of candidates) {
    if (pairs.has(from) || taken.has(to)) continue;
    pairs.set(from, to);
    taken.add(to);
  }
  return [...pairs];
}

/** The number of members that two statements have in common. If one has a Sid, an equal effect alone doesn't count. */
function likeness(a: Statement, b: Statement): number {
  const alike = Object.keys(a).filter((name) => Object.hasOwn(b, name) && deepEqual(a[name], b[name]));
  const hasSid = Object.hasOwn(a, 'Sid') || Object.hasOwn(b, 'Sid');
  return hasSid && alike.every((name) => name === 'Effect') ? 0 : alike.length;
}
