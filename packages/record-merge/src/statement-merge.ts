/**
 * Three-way merge of policy documents, whose parts are their statements. Which statement of one document is which of
 * another is told by its Sid; without one by what it says, wholly or in most of its members.
 */
import { absent, type Absent } from './absent.ts';
import { isPlainObject, withoutPrototype } from './container.ts';
import { deepEqual } from './equal.ts';
import { documentOf, type PolicyDocument } from './policy-document.ts';

/** One part of a document on the three sides; `absent` where a side has none. */
export interface DocumentPart {
  /** What the document calls it: a member beside the statements, or the Sid; '' of a statement without one. */
  readonly name: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

type Side = 'mine' | 'theirs';
type Statements = PolicyDocument['statements'];
type Statement = Statements[number];

/** Statements of one document at most, for the time that pairing those of two documents takes. */
const statementLimit = 200;

/** Whether one of the texts is a policy document with more statements than are merged one by one. */
export function hasTooMany(...texts: readonly unknown[]): boolean {
  return texts.some((text) => (documentOf(text)?.statements.length ?? 0) > statementLimit);
}

/**
 * Merges three policy documents. Both results hold what one side alone changed and what both changed alike; where both
 * changed the same statement differently, each holds the one of its side. They are the same text where nothing is in
 * conflict.
 * @returns undefined when one of the three is not a policy document, or has more than 200 statements
 */
export function statementMerge(
  base: string,
  mine: string,
  theirs: string,
): { readonly mine: string; readonly theirs: string } | undefined {
  const sides = sidesOf(base, mine, theirs);
  if (sides === undefined) return undefined;
  const members = membersOf(sides);
  const statements = slotsOf(sides);
  const forms = [sides.base, sides.mine, sides.theirs].map(({ form }) => form);
  const print = (side: Side): string => {
    const kept = statements.map((part) => chosen(part, side)).filter((part) => part !== absent);
    const entries = members.flatMap((part): (readonly [string, unknown])[] => {
      if (part.name === 'Statement') {
        const isOne = kept.length === 1 && !forms.includes('list');
        return [[part.name, isOne ? kept[0] : kept]];
      }
      const value = chosen(part, side);
      return value === absent ? [] : [[part.name, value]];
    });
    return JSON.stringify(withoutPrototype(entries), null, 2);
  };
  return { mine: print('mine'), theirs: print('theirs') };
}

/** The parts that both sides changed, and differently. Undefined as `statementMerge` returns it. */
export function partsInConflict(
  base: unknown,
  mine: unknown,
  theirs: unknown,
): readonly DocumentPart[] | undefined {
  const sides = sidesOf(base, mine, theirs);
  if (sides === undefined) return undefined;
  const members = membersOf(sides).filter(({ name }) => name !== 'Statement');
  return [...members, ...slotsOf(sides)].filter(
    (part) => !deepEqual(chosen(part, 'mine'), chosen(part, 'theirs')),
  );
}

interface Sides {
  readonly base: PolicyDocument;
  readonly mine: PolicyDocument;
  readonly theirs: PolicyDocument;
}

function sidesOf(base: unknown, mine: unknown, theirs: unknown): Sides | undefined {
  const [before, own, current] = [documentOf(base), documentOf(mine), documentOf(theirs)];
  if (before === undefined || own === undefined || current === undefined) return undefined;
  const isLong = [before, own, current].some(({ statements }) => statements.length > statementLimit);
  return isLong ? undefined : { base: before, mine: own, theirs: current };
}

function chosen({ base, mine, theirs }: DocumentPart, side: Side): unknown {
  if (deepEqual(mine, theirs) || deepEqual(base, theirs)) return mine;
  if (deepEqual(base, mine)) return theirs;
  return side === 'mine' ? mine : theirs;
}

/** The members beside the statements, and the place of those among them. */
function membersOf({ base, mine, theirs }: Sides): readonly DocumentPart[] {
  const at = ({ members }: PolicyDocument, name: string): unknown =>
    members.has(name) ? members.get(name) : absent;
  const hasStatements = [base, mine, theirs].some(({ form }) => form !== 'none');
  const names = new Set([
    ...theirs.members.keys(),
    ...mine.members.keys(),
    ...(hasStatements ? ['Statement'] : []),
  ]);
  return [...names].map((name) => ({
    name,
    base: at(base, name),
    mine: at(mine, name),
    theirs: at(theirs, name),
  }));
}

/** The statements of all sides in their merged order, each with what it is on the others. */
function slotsOf({ base, mine, theirs }: Sides): readonly DocumentPart[] {
  const [before, own, current] = [base.statements, mine.statements, theirs.statements];
  const slots = new Map<Statement, Slot>();
  const rest = (list: Statements): Statements => list.filter((statement) => !slots.has(statement));
  const put = (slot: Slot): void => {
    for (const statement of sidesOfSlot(slot)) slots.set(statement, slot);
  };
  const join = (side: Side, pairsOf: typeof samePairs, after: Statements): void => {
    const open = before.filter((statement) => slots.get(statement)?.[side] === absent);
    for (const [from, to] of pairsOf(open, rest(after))) {
      const slot = slots.get(from);
      if (slot !== undefined) put(Object.assign(slot, { [side]: to }));
    }
  };
  for (const statement of before) put({ base: statement, mine: absent, theirs: absent });
  join('mine', samePairs, own);
  join('theirs', samePairs, current);
  // What both added alike is no edit of a statement that was there.
  for (const [added, alike] of samePairs(rest(own), rest(current)))
    put({ base: absent, mine: added, theirs: alike });
  join('mine', similarPairs, own);
  join('theirs', similarPairs, current);
  for (const statement of rest(own)) put({ base: absent, mine: statement, theirs: absent });
  for (const statement of rest(current)) put({ base: absent, mine: absent, theirs: statement });

  const orderOf = (list: Statements): Slot[] => list.flatMap((statement) => slots.get(statement) ?? []);
  const places = new Map(orderOf(before).map((slot, index) => [slot, index]));
  return inOneOrder(orderOf(own), orderOf(current), places).map((slot) => ({ name: nameOf(slot), ...slot }));
}

interface Slot {
  readonly base: Statement | Absent;
  readonly mine: Statement | Absent;
  readonly theirs: Statement | Absent;
}

/** Theirs, then what mine added, each before what it stands before; the other way round where mine alone rearranged. */
function inOneOrder(
  own: readonly Slot[],
  current: readonly Slot[],
  places: ReadonlyMap<Slot, number>,
): Slot[] {
  const isRearranged = (slots: readonly Slot[]): boolean => {
    const known = slots.flatMap((slot) => places.get(slot) ?? []);
    return known.some((place, index) => place < (known[index - 1] ?? 0));
  };
  const mineFirst = isRearranged(own) && !isRearranged(current);
  const [first, second] = mineFirst ? [own, current] : [current, own];
  const order = [...first];
  for (const [index, slot] of [...second.entries()].reverse()) {
    if (order.includes(slot)) continue;
    const next = second[index + 1];
    order.splice(next === undefined ? order.length : order.indexOf(next), 0, slot);
  }
  return order;
}

/** What is there, theirs first. */
function sidesOfSlot({ base, mine, theirs }: Slot): Statements {
  const sides: readonly (Statement | Absent)[] = [theirs, mine, base];
  return sides.filter((side) => side !== absent);
}

function nameOf(slot: Slot): string {
  const sid = sidesOfSlot(slot)
    .map((side) => side['Sid'])
    .find(Boolean);
  return typeof sid === 'string' ? sid : '';
}

/** Statements of two lists that are the same for sure: of a Sid that no other has, or saying the same. */
function samePairs(first: Statements, second: Statements): readonly (readonly [Statement, Statement])[] {
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

/** The same text for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** Statements of two lists of which one may be an edit of the other: those with the most in common first. */
function similarPairs(first: Statements, second: Statements): readonly (readonly [Statement, Statement])[] {
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

/** How many members two statements have in common. Of one with a Sid the effect alone makes no other. */
function likeness(a: Statement, b: Statement): number {
  const alike = Object.keys(a).filter((name) => Object.hasOwn(b, name) && deepEqual(a[name], b[name]));
  const hasSid = Object.hasOwn(a, 'Sid') || Object.hasOwn(b, 'Sid');
  return hasSid && alike.every((name) => name === 'Effect') ? 0 : alike.length;
}
