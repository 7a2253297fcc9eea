import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edits } from '../test/arbitrary-edits.ts';
import { arbitraryEdits } from '../test/arbitrary-edits.ts';
import type { Leaf } from '../test/leaves.ts';
import { leavesOf } from '../test/leaves.ts';
import { absent } from './absent.ts';
import { deepEqual, sameValue } from './equal.ts';
import type { Conflict, MergeResult } from './merge.ts';
import { merge } from './merge.ts';
import { scalar } from './policy.ts';
import type { Decision } from './resolve.ts';
import { carryDecisions, resolve } from './resolve.ts';

const DEEP = process.env.GATEHOUSE_DEEP === '1';
/** Cases for each of the eleven laws. */
const CASES = DEEP ? 200_000 : 500;
const edits = arbitraryEdits(DEEP ? 3_000 : 300, DEEP ? Date.now() : 1);

/** Checks a law with `CASES` generated edits. */
function law(name: string, holds: (edits: Edits) => void) {
  test(name, { timeout: DEEP ? 3_600_000 : 600_000 }, () =>
    fc.assert(fc.property(edits, holds), { numRuns: CASES }),
  );
}

const mergeOf = ({ policy, base, mine, theirs }: Edits) => merge(policy, base, mine, theirs);

const choices: readonly Decision['choice'][] = ['current', 'mine', 'edited'];

/** A decision for each conflict, cycling through all choices. */
function decide(conflicts: readonly Conflict[]): Map<string, Decision> {
  return new Map(
    conflicts.map((conflict, index): [string, Decision] => {
      const choice = choices[index % 3] ?? 'current';
      return [conflict.id, choice === 'edited' ? { choice, value: editOf(conflict) } : { choice }];
    }),
  );
}

/** A text; for a group, only its first field; `absent` if one side has an object, because a list item must be one. */
function editOf({ kind, fields, mine, theirs }: Conflict): unknown {
  if (kind === 'group') return Object.fromEntries([[fields?.[0] ?? '', 'edited']]);
  return typeof mine === 'object' || typeof theirs === 'object' ? absent : 'edited';
}

/** The leaves at and below the path of a conflict or change; none if the record has no such entry. */
function leavesAt(
  leaves: ReadonlyMap<string, Leaf>,
  { path, fields }: Pick<Conflict, 'path' | 'fields'>,
): Map<string, unknown> {
  const places = fields ? fields.map((field) => [...path, field]) : [path];
  const below = [...leaves].filter(([, leaf]) => places.some((place) => startsWith(leaf.path, place)));
  return new Map(below.map(([id, leaf]) => [id, leaf.value]));
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key);
}

function isInConflict(path: readonly string[], conflicts: readonly Conflict[]): boolean {
  return conflicts.some(({ path: start, fields }) =>
    fields ? fields.some((field) => startsWith(path, [...start, field])) : startsWith(path, start),
  );
}

const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const linesOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(/\r?\n/) : [];

/** Changes from `base` to `side`, leaf by leaf, that are neither in `record` nor in a conflict. */
function lostChanges(
  { policy, base }: Edits,
  side: object,
  record: unknown,
  conflicts: readonly Conflict[],
): readonly string[] {
  const [before, after, kept] = [leavesOf(policy, base), leavesOf(policy, side), leavesOf(policy, record)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => {
    const [was, made, is] = [before.get(id), after.get(id), kept.get(id)];
    if (isDeepStrictEqual(was?.value, made?.value) || isDeepStrictEqual(made?.value, is?.value)) return false;
    if (isInConflict(made?.path ?? was?.path ?? [], conflicts)) return false;
    const kind = made?.kind ?? was?.kind;
    if (kind !== 'set' && kind !== 'text' && kind !== 'statements') return true;
    const partsOf = kind === 'set' ? membersOf : linesOf;
    const [old, own, merged] = [partsOf(was?.value), partsOf(made?.value), partsOf(is?.value)];
    return !(
      own.every((part) => old.includes(part) || merged.includes(part)) &&
      old.every((part) => own.includes(part) || !merged.includes(part))
    );
  });
}

describe('the laws of merging', () => {
  law(
    'keeps mine where only mine changed, and theirs where only theirs changed',
    ({ policy, base, mine, theirs }) => {
      const onlyMine = merge(policy, base, mine, base);
      const onlyTheirs = merge(policy, base, base, theirs);
      expect(deepEqual(onlyMine.merged, mine)).toBe(true);
      expect(deepEqual(onlyTheirs.merged, theirs)).toBe(true);
      expect([...onlyMine.conflicts, ...onlyTheirs.conflicts]).toEqual([]);
      expect(onlyMine.changes.every((change) => change.side === 'mine')).toBe(true);
      expect(onlyTheirs.changes.every((change) => change.side === 'theirs')).toBe(true);
    },
  );

  law('accepts the same change of both sides once', ({ policy, base, mine }) => {
    const result = merge(policy, base, mine, mine);
    expect(deepEqual(result.merged, mine)).toBe(true);
    expect(result.conflicts).toEqual([]);
    expect(result.changes.every((change) => change.side === 'both')).toBe(true);
    expect(result.changes.length > 0).toBe(!sameValue(policy, base, mine));
  });

  law('gives the mirrored result when the sides are swapped', (drawn) => {
    const result = mergeOf(drawn);
    const mirrored = mergeOf({ ...drawn, mine: drawn.theirs, theirs: drawn.mine });
    const reasons = { 'edited-deleted': 'deleted-edited', 'deleted-edited': 'edited-deleted' } as const;
    const sides = { mine: 'theirs', theirs: 'mine', both: 'both' } as const;
    const conflicts = new Map(mirrored.conflicts.map((conflict) => [conflict.id, conflict]));
    expect(new Set(conflicts.keys())).toEqual(new Set(result.conflicts.map(({ id }) => id)));
    for (const { id, reason, base, mine, theirs } of result.conflicts) {
      const other = conflicts.get(id);
      expect(other?.reason).toBe(reason in reasons ? reasons[reason as keyof typeof reasons] : reason);
      expect(isDeepStrictEqual([other?.base, other?.theirs, other?.mine], [base, mine, theirs])).toBe(true);
    }
    const places = (changes: MergeResult<unknown>['changes']) =>
      changes.map(({ path, side }) => JSON.stringify([path, side])).toSorted();
    expect(places(mirrored.changes.map((change) => ({ ...change, side: sides[change.side] })))).toEqual(
      places(result.changes),
    );
    if (conflicts.size === 0) expect(sameValue(drawn.policy, mirrored.merged, result.merged)).toBe(true);
  });

  law('loses no change of either side', (drawn) => {
    const { merged, conflicts } = mergeOf(drawn);
    expect(lostChanges(drawn, drawn.mine, merged, conflicts)).toEqual([]);
    expect(lostChanges(drawn, drawn.theirs, merged, conflicts)).toEqual([]);
  });

  law('only merges values of the three sides, and reports changes correctly', (drawn) => {
    const result = mergeOf(drawn);
    const sources = [drawn.base, drawn.mine, drawn.theirs].map((side) => leavesOf(drawn.policy, side));
    const merged = leavesOf(drawn.policy, result.merged);
    for (const [id, { kind, value }] of merged) {
      const held = sources.map((leaves) => leaves.get(id)?.value);
      if (held.some((source) => isDeepStrictEqual(source, value))) continue;
      expect(['set', 'text', 'statements']).toContain(kind);
      const partsOf = kind === 'set' ? membersOf : linesOf;
      expect(partsOf(value).filter((part) => !held.some((source) => partsOf(source).includes(part)))).toEqual(
        [],
      );
    }
    for (const { path, kind, before, after } of result.changes) {
      for (const [told, leaves] of [[before, sources[0]] as const, [after, merged] as const]) {
        const held = leavesAt(leaves ?? new Map(), { path });
        expect(held.size > 0).toBe(told !== absent);
        if (kind === 'scalar' || kind === 'set')
          expect([...held.values()]).toEqual(told === absent ? [] : [told]);
      }
      expect(isInConflict(path, result.conflicts)).toBe(false);
    }
    const places = [...result.changes, ...result.conflicts].map(({ path }) => JSON.stringify(path));
    const groups = result.conflicts.filter((conflict) => conflict.kind === 'group').length;
    expect(new Set(places).size).toBeGreaterThanOrEqual(places.length - groups);
    expect(new Set(result.conflicts.map(({ id }) => id)).size).toBe(result.conflicts.length);
  });

  law('holds theirs at a conflict, and reports all three sides', (drawn) => {
    const { merged, conflicts } = mergeOf(drawn);
    const { policy } = drawn;
    const base = leavesOf(policy, drawn.base);
    const mine = leavesOf(policy, drawn.mine);
    const theirs = leavesOf(policy, drawn.theirs);
    const result = leavesOf(policy, merged);
    for (const conflict of conflicts) {
      expect(isDeepStrictEqual(leavesAt(result, conflict), leavesAt(theirs, conflict))).toBe(true);
      if (conflict.kind === 'group') continue;
      expect(conflict.base === absent).toBe(leavesAt(base, conflict).size === 0);
      expect(conflict.mine === absent).toBe(leavesAt(mine, conflict).size === 0);
      expect(conflict.theirs === absent).toBe(leavesAt(theirs, conflict).size === 0);
      expect(deepEqual(conflict.mine, conflict.theirs) || deepEqual(conflict.base, conflict.mine)).toBe(
        false,
      );
    }
  });

  law('conflicts in a group exactly if both sides changed it and together more than one field', (drawn) => {
    const { policy, base, mine, theirs } = drawn;
    const { conflicts } = mergeOf(drawn);
    const values = (side: object, fields: readonly string[]) =>
      fields.map(
        (field) =>
          [
            policy.fields[field] ?? scalar,
            Object.hasOwn(side, field) ? Reflect.get(side, field) : absent,
          ] as const,
      );
    const changed = (side: object, other: object, fields: readonly string[]) =>
      fields.filter((_, index) => {
        const [of, value] = values(side, fields)[index] ?? [scalar, absent];
        return !sameValue(of, value, values(other, fields)[index]?.[1]);
      });
    for (const { name, fields } of policy.groups ?? []) {
      const [byMine, byTheirs] = [changed(base, mine, fields), changed(base, theirs, fields)];
      const both = byMine.length > 0 && byTheirs.length > 0 && changed(mine, theirs, fields).length > 0;
      const together = new Set([...byMine, ...byTheirs]).size;
      const found = conflicts.filter(({ id }) => id === `~{${name}}`);
      expect(found).toHaveLength(both && together > 1 ? 1 : 0);
    }
  });

  law('merges its own result without further changes', (drawn) => {
    const { policy, base, theirs } = drawn;
    const { merged } = mergeOf(drawn);
    const saved = merge<unknown>(policy, base, merged, merged);
    expect(saved.conflicts).toEqual([]);
    expect(deepEqual(saved.merged, merged)).toBe(true);
    const onTop = merge<unknown>(policy, theirs, merged, theirs);
    expect(deepEqual(onTop.merged, merged)).toBe(true);
    expect(isDeepStrictEqual(mergeOf(drawn), mergeOf(drawn))).toBe(true);
  });

  law('applies decisions completely, in any order, and only to conflicts', (drawn) => {
    const result = mergeOf(drawn);
    const decisions = decide(result.conflicts);
    const { record, undecided } = resolve(result, decisions);
    expect(undecided).toEqual([]);
    const reversed = { ...result, conflicts: result.conflicts.toReversed() };
    expect(sameValue(drawn.policy, resolve(reversed, decisions).record, record)).toBe(true);
    const merged = leavesOf(drawn.policy, result.merged);
    const mine = leavesOf(drawn.policy, drawn.mine);
    const resolved = leavesOf(drawn.policy, record);
    for (const conflict of result.conflicts) {
      const decision = decisions.get(conflict.id);
      const source = { current: merged, mine, edited: undefined }[decision?.choice ?? 'edited'];
      if (source)
        expect(isDeepStrictEqual(leavesAt(resolved, conflict), leavesAt(source, conflict))).toBe(true);
      else if (conflict.kind === 'group')
        expect([...leavesAt(resolved, conflict).values()]).toEqual(['edited']);
      else
        expect([...leavesAt(resolved, conflict).values()]).toEqual(
          editOf(conflict) === absent ? [] : ['edited'],
        );
    }
    const outside = (leaves: Map<string, Leaf>) =>
      new Map([...leaves].filter(([, { path }]) => !isInConflict(path, result.conflicts)));
    expect(isDeepStrictEqual(outside(resolved), outside(merged))).toBe(true);
  });

  law('keeps all changes of a side that is chosen everywhere, and returns undecided conflicts', (drawn) => {
    const result = mergeOf(drawn);
    const all = (choice: 'current' | 'mine') =>
      resolve(result, new Map(result.conflicts.map(({ id }) => [id, { choice }]))).record;
    expect(lostChanges(drawn, drawn.mine, all('mine'), [])).toEqual([]);
    expect(lostChanges(drawn, drawn.theirs, all('current'), [])).toEqual([]);
    expect(deepEqual(all('current'), result.merged)).toBe(true);
    const none = resolve(result, new Map([['/no such conflict', { choice: 'mine' }]]));
    expect(none.undecided).toEqual(result.conflicts);
    expect(deepEqual(none.record, result.merged)).toBe(true);
  });

  law('carries exactly the decisions whose inputs a third edit left unchanged', (drawn) => {
    const { policy, base, mine, theirs } = drawn;
    const previous = mergeOf(drawn);
    const decisions = decide(previous.conflicts);
    expect(carryDecisions(previous, mergeOf(drawn), decisions)).toEqual(decisions);

    // Another user deletes the subject of the first conflict, and adopts all of mine that doesn't conflict.
    const [first, ...others] = previous.conflicts;
    if (!first) return;
    const deletion: Decision = { choice: 'edited', value: first.kind === 'group' ? {} : absent };
    const third = resolve(previous, new Map([[first.id, deletion]])).record;
    const carried = carryDecisions(previous, merge<unknown>(policy, base, mine, third), decisions);
    const wasDeleted = leavesAt(leavesOf(policy, theirs), first).size === 0;
    expect([...carried.keys()]).toEqual((wasDeleted ? [first, ...others] : others).map(({ id }) => id));
    for (const [id, decision] of carried) expect(decision).toBe(decisions.get(id));
  });
});
