import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { absent } from './absent.ts';
import { sameValue } from './equal.ts';
import { merge } from './merge.ts';
import { documentOf } from './policy-document.ts';
import { record, statements } from './policy.ts';
import { resolve } from './resolve.ts';
import { partsInConflict, statementMerge } from './statement-merge.ts';

const read = { Sid: 'Read', Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
const list = { Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::logs' };
const deny = { Sid: 'NoDelete', Effect: 'Deny', Action: 's3:Delete*', Resource: '*' };
const write = { Sid: 'Write', Effect: 'Allow', Action: 's3:PutObject', Resource: '*' };

const text = (Statement: unknown, more: object = { Version: '2012-10-17' }): string =>
  JSON.stringify({ ...more, Statement }, null, 2);
const policy = record({ document: statements });
const many = (count: number, resource = '*') =>
  Array.from({ length: count }, (_, index) => ({
    Effect: 'Allow',
    Action: `s3:Action${index}`,
    Resource: index === 0 ? resource : '*',
  }));
const mergeOf = (base: string, mine: string, theirs: string) =>
  merge(policy, { document: base }, { document: mine }, { document: theirs });

/** A reviver that turns the order of members. */
function turn(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).reverse())
    : value;
}

describe('merging two edits of a policy document', () => {
  test('writes a deep statement once, and not again at each level', () => {
    let deep: unknown = 'x'.repeat(1000);
    for (let level = 0; level < 450; level++) deep = { b: 1, a: deep };
    const statement = { Effect: 'Allow', Condition: deep };
    const turned = { Condition: JSON.parse(JSON.stringify(deep), turn) as unknown, Effect: 'Allow' };
    const join = vi.spyOn(Array.prototype, 'join');
    const merged = statementMerge(text([statement]), text([turned, read]), text([statement, deny]));
    const joined = join.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
    join.mockRestore();
    expect(documentOf(merged?.mine)?.statements).toHaveLength(3);
    expect(joined).toBeLessThan(10_000);
  });

  test('joins edits of different statements, even adjacent ones', () => {
    const { merged, conflicts, changes } = mergeOf(
      text([read, list]),
      text([{ ...read, Resource: 'arn:aws:s3:::mine/*' }, list]),
      text([read, { ...list, Resource: 'arn:aws:s3:::theirs' }]),
    );
    expect(conflicts).toEqual([]);
    expect(changes.map(({ side }) => side)).toEqual(['both']);
    expect(merged.document).toBe(
      text([
        { ...read, Resource: 'arn:aws:s3:::mine/*' },
        { ...list, Resource: 'arn:aws:s3:::theirs' },
      ]),
    );
  });

  test.each([
    [
      'two statements that were added are both kept',
      [read],
      [read, write],
      [read, deny],
      [read, deny, write],
    ],
    ['what both added alike is there once', [read], [read, list, write], [read, list], [read, list, write]],
    [
      'one is deleted, another edited',
      [read, list],
      [list],
      [read, { ...list, Resource: '*' }],
      [{ ...list, Resource: '*' }],
    ],
    [
      'one stands at another place, another is added',
      [read, list],
      [list, read],
      [read, list, deny],
      [list, read, deny],
    ],
    [
      'a Sid is renamed, another statement edited',
      [read, list],
      [{ ...read, Sid: 'R' }, list],
      [read, { ...list, Resource: '*' }],
      [
        { ...read, Sid: 'R' },
        { ...list, Resource: '*' },
      ],
    ],
  ])('%s', (_, base, mine, theirs, merged) => {
    const result = mergeOf(text(base), text(mine), text(theirs));
    expect(result.conflicts).toEqual([]);
    expect(result.merged.document).toBe(text(merged));
  });

  test('limits a conflict to the statement that both edited, and keeps the other changes with either choice', () => {
    const [mine, theirs] = [
      { ...list, Resource: 'arn:mine' },
      { ...list, Resource: 'arn:theirs' },
    ];
    const result = mergeOf(text([read, list]), text([read, mine, write]), text([mine, deny].with(0, theirs)));
    const [conflict] = result.conflicts;
    expect(result.conflicts).toHaveLength(1);
    expect(partsInConflict(conflict?.base, conflict?.mine, conflict?.theirs)).toEqual([
      { name: '', base: list, mine, theirs },
    ]);
    const choose = (choice: 'mine' | 'current') =>
      resolve(result, new Map([[conflict?.id ?? '', { choice }]])).record.document;
    expect(choose('current')).toBe(text([theirs, deny, write]));
    expect(choose('mine')).toBe(text([mine, deny, write]));
  });

  test('conflicts for an edit against a deletion, and for two additions with one Sid', () => {
    const edited = mergeOf(text([read, list]), text([list]), text([{ ...read, Resource: 'r' }, list]));
    const [first] = edited.conflicts;
    expect(partsInConflict(first?.base, first?.mine, first?.theirs)).toEqual([
      { name: 'Read', base: read, mine: absent, theirs: { ...read, Resource: 'r' } },
    ]);
    const added = mergeOf(text([read]), text([read, write]), text([read, { ...write, Effect: 'Deny' }]));
    const [second] = added.conflicts;
    expect(partsInConflict(second?.base, second?.mine, second?.theirs)).toEqual([
      { name: 'Write', base: absent, mine: write, theirs: { ...write, Effect: 'Deny' } },
    ]);
  });

  test('chooses Version and Id as a whole', () => {
    const at = (Version: string, Id: string) => text([read], { Version, Id });
    expect(mergeOf(at('1', 'a'), at('2', 'a'), at('1', 'b')).merged.document).toBe(at('2', 'b'));
    const { conflicts } = mergeOf(at('1', 'a'), at('2', 'a'), at('3', 'b'));
    expect(partsInConflict(conflicts[0]?.base, conflicts[0]?.mine, conflicts[0]?.theirs)).toEqual([
      { name: 'Version', base: '1', mine: '2', theirs: '3' },
    ]);
  });

  test('keeps a single statement without a list', () => {
    const merged = statementMerge(text(read), text({ ...read, Sid: 'R' }), text(read, { Version: '2' }));
    expect(merged?.mine).toBe(text({ ...read, Sid: 'R' }, { Version: '2' }));
  });

  test("merges by lines if a document can't be parsed exactly", () => {
    expect(mergeOf('{\na\nb\nc', '{\nA\nb\nc', '{\na\nb\nC').merged.document).toBe('{\nA\nb\nC');
    expect(mergeOf('{"a":1}', '', '{"a":2}').conflicts).toHaveLength(1);
    for (const unreadable of ['{"Id":1,"Id":2}', '{"Id":12345678901234567890}', '{"Statement":[1]}', '[]'])
      expect(documentOf(unreadable)).toBeUndefined();
  });

  test('ignores space and the order of members, but not of statements', () => {
    const compact = JSON.stringify({ Statement: [read, list], Version: '2012-10-17' });
    expect(sameValue(statements, compact, text([read, list]))).toBe(true);
    expect(sameValue(statements, compact, text([list, read]))).toBe(false);
    expect(sameValue(statements, text(read), text([read]))).toBe(false);
  });
});

/** Documents of up to five statements. Each side keeps, deletes or edits each of them, and adds some of its own. */
const edits = fc
  .tuple(
    fc.array(fc.tuple(fc.boolean(), fc.nat(5), fc.nat(5)), { maxLength: 5 }),
    fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
    fc.tuple(fc.boolean(), fc.boolean()),
  )
  .map(([drawn, [mineAdded, theirsAdded, bothAdded], [mineTurned, theirsTurned]]) => {
    const one = (index: number, hasSid: boolean, Resource: string) => ({
      ...(hasSid && { Sid: `S${String(index)}` }),
      Effect: 'Allow',
      Action: `s3:Action${String(index)}`,
      Resource,
    });
    const added = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        Effect: 'Allow',
        Action: `ec2:${name}${String(index)}`,
        Resource: name,
      }));
    const side = (
      name: string,
      pick: (edit: (typeof drawn)[number]) => number,
      own: number,
      isTurned: boolean,
    ) => {
      const kept = drawn.flatMap((edit, index) => {
        const how = pick(edit);
        if (how === 0) return [];
        const resource = how === 1 ? name : how === 2 ? 'alike' : 'base';
        return [one(index, edit[0], resource)];
      });
      return [...(isTurned ? kept.toReversed() : kept), ...added('both', bothAdded), ...added(name, own)];
    };
    return {
      hasAllSids: drawn.every(([hasSid]) => hasSid),
      base: drawn.map(([hasSid], index) => one(index, hasSid, 'base')),
      mine: side('mine', (edit) => edit[1], mineAdded, mineTurned),
      theirs: side('theirs', (edit) => edit[2], theirsAdded, theirsTurned),
    };
  });

const DEEP = process.env.GATEHOUSE_DEEP === '1';

/** Checks a law with generated documents, in which all statements differ. */
function law(
  name: string,
  holds: (
    sides: Record<'base' | 'mine' | 'theirs', readonly string[]>,
    merged: Record<'mine' | 'theirs', readonly string[]>,
    drawn: { texts: readonly [string, string, string]; hasAllSids: boolean },
  ) => void,
) {
  const partsOf = (document: string) =>
    (documentOf(document)?.statements ?? []).map((part) => JSON.stringify(part));
  test(name, { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(edits, ({ base, mine, theirs, hasAllSids }) => {
        const texts = [text(base), text(mine), text(theirs)] as const;
        const merged = statementMerge(...texts);
        if (merged === undefined) throw new Error('Not read');
        holds(
          { base: partsOf(texts[0]), mine: partsOf(texts[1]), theirs: partsOf(texts[2]) },
          { mine: partsOf(merged.mine), theirs: partsOf(merged.theirs) },
          { texts, hasAllSids },
        );
      }),
      { numRuns: DEEP ? 200_000 : 400 },
    );
  });
}

const without = (from: readonly string[], those: readonly string[]) =>
  from.filter((part) => !those.includes(part));

describe('the laws of merging by statements', () => {
  law('only merges statements of the three sides, each once', ({ base, mine, theirs }, merged) => {
    for (const result of [merged.mine, merged.theirs]) {
      expect(without(result, [...base, ...mine, ...theirs])).toEqual([]);
      expect(new Set(result).size).toBe(result.length);
    }
  });

  law('loses no change of the chosen side', ({ base, mine, theirs }, merged) => {
    for (const [own, result] of [
      [mine, merged.mine],
      [theirs, merged.theirs],
    ] as const) {
      expect(without(without(own, base), result)).toEqual([]);
      expect(without(base, own).filter((part) => result.includes(part))).toEqual([]);
    }
  });

  law(
    'gives the mirrored results when the sides are swapped',
    (_, merged, { texts: [base, mine, theirs] }) => {
      const mirrored = statementMerge(base, theirs, mine);
      const sorted = (document: string | undefined) =>
        (documentOf(document)?.statements ?? []).map((part) => JSON.stringify(part)).toSorted();
      expect(sorted(mirrored?.theirs)).toEqual(merged.mine.toSorted());
      expect(sorted(mirrored?.mine)).toEqual(merged.theirs.toSorted());
    },
  );

  law('returns two results that only differ in conflicting parts', (_, merged, { texts }) => {
    const parts = partsInConflict(...texts) ?? [];
    const told = (side: 'mine' | 'theirs') =>
      parts.flatMap((part) => (part[side] === absent ? [] : [JSON.stringify(part[side])]));
    expect(without(merged.mine, merged.theirs).toSorted()).toEqual(told('mine').toSorted());
    expect(without(merged.theirs, merged.mine).toSorted()).toEqual(told('theirs').toSorted());
  });

  law(
    'conflicts in exactly the statements that both sides changed differently',
    (_, __, { texts, hasAllSids }) => {
      if (!hasAllSids) return;
      const [before, own, current] = texts.map(
        (document) =>
          new Map(
            (documentOf(document)?.statements ?? []).map((part) => [part['Action'], JSON.stringify(part)]),
          ),
      );
      const expected = [...(before?.keys() ?? [])].filter((action) => {
        const [was, mine, theirs] = [before?.get(action), own?.get(action), current?.get(action)];
        return was !== mine && was !== theirs && mine !== theirs;
      });
      expect(
        partsInConflict(...texts)
          ?.map(({ name }) => name)
          .toSorted(),
      ).toEqual(expected.map((action) => String(action).replace('s3:Action', 'S')).toSorted());
    },
  );

  law('keeps a merged document when it is merged again', (_, __, { texts: [base, mine, theirs] }) => {
    const once = statementMerge(base, mine, theirs);
    const again = statementMerge(theirs, once?.mine ?? '', theirs);
    expect(sameValue(statements, again?.mine, once?.mine)).toBe(true);
  });
});

test('conflicts as a whole, and quickly, for documents of more than 200 statements', () => {
  const sides = (count: number) =>
    [text(many(count)), text([...many(count), read]), text(many(count, 'mine'))] as const;
  expect(mergeOf(...sides(199)).conflicts).toEqual([]);
  const start = performance.now();
  const [base, mine, theirs] = sides(2000);
  expect(mergeOf(base, mine, theirs).conflicts).toMatchObject([{ path: ['document'], mine, theirs }]);
  expect(partsInConflict(base, mine, theirs)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2000);
});
