/** Three-way merge of policy documents by statements. */
import { absent, type Absent } from './absent.ts';
import { withoutPrototype } from './container.ts';
import { deepEqual } from './equal.ts';
import { documentOf, type PolicyDocument } from './policy-document.ts';
import { samePairs, similarPairs, type Statement, type Statements } from './statement-pairs.ts';

/** A part of a document on the three sides; `absent` if a side has none. */
export interface DocumentPart {
  /** A member's name or a statement's Sid; '' for a statement without one. */
  readonly name: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

type Side = 'mine' | 'theirs';

/** Most statements of a document; pairing more takes too long. */
const statementLimit = 200;

/** Whether one of the texts is a policy document with too many statements to merge one by one. */
export function hasTooMany(...texts: readonly unknown[]): boolean {
  return texts.some((text) => isTooLong(documentOf(text)));
}

function isTooLong(document: PolicyDocument | undefined): boolean {
  return document !== undefined && document.statements.length > statementLimit;
}

/**
 * Merges three policy documents. Both results contain the changes of one side and the same changes of both; where both
 * changed a statement differently, each contains its own side's. Without conflicts, both results are the same text.
 * @returns undefined if one of the three is not a policy document, or has more than 200 statements
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

/** The parts that both sides changed differently. Undefined in the same cases as `statementMerge`. */
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
  return [before, own, current].some(isTooLong) ? undefined : { base: before, mine: own, theirs: current };
}

function chosen({ base, mine, theirs }: DocumentPart, side: Side): unknown {
  if (deepEqual(mine, theirs) || deepEqual(base, theirs)) return mine;
  if (deepEqual(base, mine)) return theirs;
  return side === 'mine' ? mine : theirs;
}

/** The members besides the statements, and the position of `Statement` among them. */
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

/** The statements of all sides in merged order, each with its versions on the other sides. */
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
      if (slot === undefined) continue;
      slot[side] = to;
      slots.set(to, slot);
    }
  };
  for (const statement of before) put({ base: statement, mine: absent, theirs: absent });
  join('mine', samePairs, own);
  join('theirs', samePairs, current);
  // The same addition by both sides is not an edit of an existing statement.
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
  mine: Statement | Absent;
  theirs: Statement | Absent;
}

/** Theirs, then mine's additions, each before its successor; the other way round if only mine rearranged statements. */
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

/** The present sides, theirs first. */
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
