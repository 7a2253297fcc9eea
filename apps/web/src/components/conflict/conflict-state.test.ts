import type { Conflict } from '@gatehouse/record-merge';
import { deepEqual } from '@gatehouse/record-merge/equal';
import { list, record, scalar, set } from '@gatehouse/record-merge/policy';
import { resolve, type Decision } from '@gatehouse/record-merge/resolve';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptedChanges,
  conflictPaths,
  conflictReducer,
  decidedRecord,
  decisionsIn,
  toldBy,
  undecided,
  valueAt,
  withDecision,
  type ChangedMeanwhile,
  type ConflictState,
} from './conflict-state.ts';

const policy = record(
  { a: scalar, b: scalar, c: scalar, tags: set, inner: record({ d: scalar, e: scalar }) },
  { groups: [{ name: 'pair', fields: ['b', 'c'] }] },
);

interface Thing {
  a: string;
  b: string;
  c: string;
  tags: string[];
  inner: { d: string; e: string };
}

const letter = fc.constantFrom('p', 'q', 'r', 's');
const thing: fc.Arbitrary<Thing> = fc.record({
  a: letter,
  b: letter,
  c: letter,
  tags: fc.uniqueArray(letter),
  inner: fc.record({ d: letter, e: letter }),
});
const author = { changedBy: null, changedAt: null };
const none: ConflictState<Thing> = { kind: 'none' };

function changed(state: ConflictState<Thing>, saved: Thing, values: Thing, theirs: Thing) {
  const next = conflictReducer(state, { type: 'changed', policy, saved, values, theirs, author });
  if (next.kind !== 'changed') throw new Error('A change gives a changed state.');
  return next;
}

function decide(state: ReturnType<typeof changed>, decisions: readonly Decision[]) {
  let next: ConflictState<Thing> = state;
  for (const [index, conflict] of state.result.conflicts.entries()) {
    const decision = decisions[index % Math.max(1, decisions.length)];
    if (decision) next = conflictReducer(next, { type: 'decided', id: conflict.id, decision });
  }
  return asChanged(next);
}

const decision: fc.Arbitrary<Decision> = fc.constantFrom({ choice: 'current' }, { choice: 'mine' });

const places = ['a', 'b', 'c', 'inner.d', 'inner.e'] as const;
type Leaves = Readonly<Record<string, string | undefined>>;

function leaves({ a, b, c, inner }: Thing): Leaves {
  return { a, b, c, 'inner.d': inner.d, 'inner.e': inner.e };
}

/** Returns unique texts. */
function typing(): () => string {
  let count = 0;
  return () => `typed ${String((count += 1))}`;
}

function edited(from: Thing, at: readonly string[], typed: () => string): Thing {
  const to = { ...leaves(from), ...Object.fromEntries(at.map((place) => [place, typed()])) };
  const { a = '', b = '', c = '', 'inner.d': d = '', 'inner.e': e = '' } = to;
  return { a, b, c, tags: from.tags, inner: { d, e } };
}

function asChanged<T>(state: ConflictState<T>): ChangedMeanwhile<T> {
  if (state.kind !== 'changed') throw new Error('A decision keeps the state.');
  return state;
}

function mineAt(conflict: Conflict | undefined, place: string): unknown {
  if (conflict?.fields === undefined) return conflict?.mine;
  return (conflict.mine as Leaves)[place];
}

describe('a concurrent change', () => {
  test('decides nothing automatically, and loses no change', () => {
    fc.assert(
      fc.property(thing, thing, thing, (base, mine, theirs) => {
        const state = changed(none, base, mine, theirs);
        expect(undecided(state)).toEqual(state.result.conflicts);
        const places = [...acceptedChanges(state), ...state.result.conflicts].map(({ path }) =>
          path.join('.'),
        );
        if (mine.a !== base.a || theirs.a !== base.a) expect(places).toContain('a');
        if (mine.inner.d !== base.inner.d) expect(places).toContain('inner.d');
        for (const conflict of state.result.conflicts) {
          expect(deepEqual(conflict.mine, conflict.theirs)).toBe(false);
        }
      }),
    );
  });

  test('gives one side wherever both changed, if all decisions are for that side', () => {
    fc.assert(
      fc.property(thing, thing, thing, (base, mine, theirs) => {
        const state = decide(changed(none, base, mine, theirs), [{ choice: 'mine' }]);
        expect(undecided(state)).toEqual([]);
        const shown = decidedRecord(state);
        if (mine.a !== base.a) expect(shown.a).toBe(mine.a);
        if (mine.inner.e !== base.inner.e) expect(shown.inner.e).toBe(mine.inner.e);
      }),
    );
  });

  test('ignores decisions about unknown conflicts', () => {
    fc.assert(
      fc.property(thing, thing, thing, (base, mine, theirs) => {
        const state = changed(none, base, mine, theirs);
        expect(
          conflictReducer(state, { type: 'decided', id: '/nowhere', decision: { choice: 'mine' } }),
        ).toBe(state);
      }),
    );
  });
});

describe('a third edit', () => {
  test('of another field keeps every decision', () => {
    fc.assert(
      fc.property(
        thing,
        thing,
        thing,
        fc.array(decision, { minLength: 1 }),
        (base, mine, theirs, choices) => {
          const first = decide(changed(none, base, mine, theirs), choices);
          // The third edit adds a new tag, so it affects no conflict.
          const third = { ...theirs, tags: [...theirs.tags, 'third'] };
          const second = changed(first, theirs, decidedRecord(first), third);
          expect(undecided(second)).toEqual([]);
          expect(second.kept).toBe(first.decisions.size);
          expect(second.askedAgain).toBe(0);
          const before = decidedRecord(first);
          const after = decidedRecord(second);
          expect(deepEqual({ ...after, tags: [] }, { ...before, tags: [] })).toBe(true);
          expect(after.tags).toContain('third');
        },
      ),
    );
  });

  test('never loses an edit, whatever was decided before', () => {
    fc.assert(
      fc.property(
        thing,
        thing,
        thing,
        thing,
        fc.array(decision, { minLength: 1 }),
        fc.boolean(),
        (base, mine, theirs, third, choices, isDecided) => {
          const start = changed(none, base, mine, theirs);
          const first = isDecided ? decide(start, choices) : start;
          const second = changed(first, theirs, decidedRecord(first), third);
          const shown = resolve(second.result, second.decisions).record;
          // If the third edit left the field alone, its decision or open conflict remains.
          if (third.a === theirs.a) {
            const wasAsked = first.result.conflicts.find(({ path }) => path[0] === 'a');
            const isAsked = second.result.conflicts.find(({ path }) => path[0] === 'a');
            expect(isAsked === undefined).toBe(wasAsked === undefined);
            expect(shown.a).toBe(decidedRecord(first).a);
          }
          // My edit is in the record, in a conflict, or was decided against. (If theirs had made the same
          // edit, it was stored, and the third edit changed it knowingly.)
          const isMine = mine.inner.d !== base.inner.d && mine.inner.d !== theirs.inner.d;
          if (isMine && shown.inner.d !== mine.inner.d) {
            const conflicts = [...first.result.conflicts, ...second.result.conflicts];
            expect(conflicts.some(({ path }) => path.join('.') === 'inner.d')).toBe(true);
          }
        },
      ),
    );
  });

  test('reverts no decision, and loses no typed value', () => {
    const choice = fc.constantFrom('current', 'mine', 'edited', 'open');
    const round = fc.record({ theirs: thing, choices: fc.array(choice, { minLength: 1, maxLength: 4 }) });
    fc.assert(
      fc.property(
        thing,
        fc.subarray([...places]),
        fc.array(round, { minLength: 1, maxLength: 5 }),
        (base, edits, rounds) => {
          const typed = typing();
          let form = edited(base, edits, typed);
          // What the user last accepted, and what they want instead.
          let seen = leaves(base);
          let wanted = leaves(form);
          let state: ConflictState<Thing> = none;
          let saved = base;
          for (const { theirs, choices } of rounds) {
            const next = changed(state, saved, form, theirs);
            const stored = leaves(theirs);
            const shown = leaves(decidedRecord(next));
            for (const place of places) {
              const open = undecided(next).find((conflict) => conflictPaths(conflict).includes(place));
              expect([stored[place], wanted[place]]).toContain(shown[place]);
              if (wanted[place] !== seen[place] && shown[place] !== wanted[place])
                expect(mineAt(open, place)).toBe(wanted[place]);
              if (open === undefined) {
                seen = { ...seen, [place]: stored[place] };
                wanted = { ...wanted, [place]: shown[place] };
              }
            }
            expect(next.kept).toBe(next.decisions.size);
            state = next;
            for (const [index, conflict] of next.result.conflicts.entries()) {
              const picked = choices[index % choices.length];
              if (picked === 'open' || next.decisions.has(conflict.id)) continue;
              const decision: Decision =
                picked === 'edited'
                  ? {
                      choice: 'edited',
                      value: valueAt(edited(theirs, conflictPaths(conflict), typed), conflict),
                    }
                  : { choice: picked === 'mine' ? 'mine' : 'current' };
              state = conflictReducer(state, { type: 'decided', id: conflict.id, decision });
              const now = leaves(decidedRecord(asChanged(state)));
              for (const place of conflictPaths(conflict)) {
                seen = { ...seen, [place]: stored[place] };
                wanted = { ...wanted, [place]: now[place] };
              }
            }
            form = decidedRecord(asChanged(state));
            saved = theirs;
          }
        },
      ),
    );
  });

  test.each([
    ['to the value before both edits', 'p', { mine: 'x', theirs: 'p' }],
    ['to the rejected value', 'q', { mine: 'x', theirs: 'q' }],
    ['to another value', 's', { mine: 'x', theirs: 's' }],
    ['to the decided value', 'x', undefined],
  ])('%s keeps the value that was typed in a decision', (_, third, asked) => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const start = changed(none, base, { ...base, a: 'q' }, { ...base, a: 'r' });
    const first = decide(start, [{ choice: 'edited', value: 'x' }]);
    const second = changed(first, first.theirs, decidedRecord(first), { ...base, a: third });
    expect(second.result.conflicts).toMatchObject(
      asked === undefined ? [] : [{ id: '/a', base: 'r', ...asked }],
    );
    expect(second.askedAgain).toBe(asked === undefined ? 0 : 1);
    if (asked === undefined) expect(decidedRecord(second).a).toBe('x');
  });

  test('updates a decision to keep the stored value', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const first = decide(changed(none, base, { ...base, a: 'q' }, { ...base, a: 'r' }), [
      { choice: 'current' },
    ]);
    const second = changed(first, first.theirs, decidedRecord(first), base);
    expect(undecided(second)).toEqual([]);
    expect(decidedRecord(second).a).toBe('p');
    expect(acceptedChanges(second)).toMatchObject([{ path: ['a'], side: 'theirs', before: 'r', after: 'p' }]);
  });

  test('of a whole group counts the decision about one of its fields as reopened', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const first = decide(changed(none, base, { ...base, b: 'q' }, { ...base, b: 'r' }), [{ choice: 'mine' }]);
    const second = changed(first, first.theirs, decidedRecord(first), { ...base, b: 'r', c: 's' });
    expect(undecided(second).map(({ id }) => id)).toEqual(['~{pair}']);
    expect([second.kept, second.askedAgain]).toEqual([0, 1]);
  });

  test('includes values typed in undecided conflicts', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const first = changed(none, base, { ...base, a: 'q' }, { ...base, a: 'r' });
    const values = { ...decidedRecord(first), a: 'x' };
    const second = changed(first, first.theirs, values, { ...base, a: 's' });
    expect(undecided(second)).toMatchObject([{ mine: 'x', theirs: 's' }]);
  });

  test('keeps values typed elsewhere when one conflict is decided', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const mine = { ...base, a: 'q', inner: { d: 'q', e: 'p' } };
    const first = changed(none, base, mine, { ...base, a: 'r', inner: { d: 'r', e: 'p' } });
    const values = { ...decidedRecord(first), b: 'typed', inner: { d: 'typed', e: 'p' } };
    const shown = withDecision(first, values, '/a', { choice: 'mine' });
    expect(shown).toMatchObject({ a: 'q', b: 'typed', inner: { d: 'typed' } });
    expect(withDecision(first, shown, '/a', { choice: 'current' })).toMatchObject({ a: 'r', b: 'typed' });
  });

  test("includes edits of a list's item, and its removal", () => {
    const lists = record({ items: list('id', record({ id: scalar, url: scalar })) });
    const of = (url: string) => ({ items: [{ id: 'one', url }] });
    const meet = (
      state: ConflictState<ReturnType<typeof of>>,
      saved: string,
      values: object,
      theirs: string,
    ) =>
      conflictReducer(state, {
        type: 'changed',
        policy: lists,
        saved: of(saved),
        values: values as ReturnType<typeof of>,
        theirs: of(theirs),
        author,
      });
    const start = meet({ kind: 'none' }, 'p', of('q'), 'r');
    const first = conflictReducer(start, {
      type: 'decided',
      id: '/items/one/url',
      decision: { choice: 'mine' },
    });
    const second = meet(first, 'r', of('typed'), 's');
    expect(undecided(second)).toMatchObject([{ base: 'r', mine: 'typed', theirs: 's' }]);
    expect(decidedRecord(asChanged(meet(first, 'r', of('typed'), 'r')))).toEqual(of('typed'));
    expect(undecided(meet(first, 'r', { items: [] }, 'r'))).toEqual([]);
    expect(undecided(meet(start, 'r', { items: [] }, 's'))).toMatchObject([{ path: ['items', 'one'] }]);
  });

  test('reopens decisions about fields that it changed', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const mine = { ...base, a: 'q', inner: { d: 'q', e: 'p' } };
    const theirs = { ...base, a: 'r', inner: { d: 'r', e: 'p' } };
    const first = decide(changed(none, base, mine, theirs), [{ choice: 'mine' }]);
    const second = changed(first, theirs, decidedRecord(first), { ...theirs, a: 's' });
    expect(undecided(second).map(({ id }) => id)).toEqual(['/a']);
    expect([second.kept, second.askedAgain, second.round]).toEqual([1, 1, 2]);
    expect(second.result.conflicts.find(({ id }) => id === '/a')).toMatchObject({
      base: 'r',
      mine: 'q',
      theirs: 's',
    });
    expect(decidedRecord(second)).toMatchObject({ a: 's', inner: { d: 'q' } });
  });

  test('counts a field that was edited after its decision as edited', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const first = decide(changed(none, base, { ...base, a: 'q', b: 'q' }, { ...base, a: 'r', c: 'r' }), [
      { choice: 'mine' },
    ]);
    const values = { ...decidedRecord(first), a: 'z' };
    expect(decisionsIn(first, values).get('/a')).toEqual({ choice: 'edited', value: 'z' });
    expect(decisionsIn(first, values).get('~{pair}')).toEqual({ choice: 'mine' });
    expect(toldBy(first, values)).toEqual([
      { path: '/a', choice: 'edited' },
      { path: '~{pair}', choice: 'mine' },
    ]);
    const second = changed(first, first.theirs, values, { ...first.theirs, tags: ['x'] });
    expect(toldBy(second, decidedRecord(second))).toContainEqual({ path: '', choice: 'merged' });
    expect(decidedRecord(second)).toMatchObject({ a: 'z', b: 'q', c: 'p', tags: ['x'] });
  });

  test('treats edits of the form after the first merge as mine', () => {
    const base = { a: 'p', b: 'p', c: 'p', tags: [], inner: { d: 'p', e: 'p' } };
    const first = changed(none, base, { ...base, a: 'q' }, { ...base, inner: { d: 'r', e: 'p' } });
    // The user saw theirs at d, and changed it; the third edit doesn't affect it.
    const values = { ...decidedRecord(first), inner: { d: 's', e: 'p' } };
    const second = changed(first, first.theirs, values, { ...first.theirs, b: 'z' });
    expect(undecided(second)).toEqual([]);
    expect(decidedRecord(second)).toMatchObject({ a: 'q', b: 'z', inner: { d: 's' } });
  });
});

test('a deletion stays until it is settled', () => {
  const gone = conflictReducer(none, { type: 'deleted', author });
  expect(gone.kind).toBe('deleted');
  expect(conflictReducer(gone, { type: 'settled' })).toEqual(none);
});
