import { describe, expect, test } from 'vitest';
import { absent } from './absent.ts';
import { merge } from './merge.ts';
import { list, map, opaque, record, scalar, set, text } from './policy.ts';

/** A target as in the console, with additional kinds of fields. */
const policy = record(
  {
    name: scalar,
    description: text,
    type: scalar,
    attributes: record({ port: scalar }, { rest: scalar }),
    address: scalar,
    hostSourceIds: set,
    tags: set,
    labels: map(scalar),
    secrets: map(opaque),
    rules: list('id', record({ action: scalar, ports: set })),
  },
  {
    groups: [
      { name: 'kind', fields: ['type', 'attributes'] },
      { name: 'hosts', fields: ['address', 'hostSourceIds'] },
    ],
  },
);

const merged = (base: object, mine: object, theirs: object) => merge(policy, base, mine, theirs);

describe('scalars', () => {
  test("keep each side's change and report its side", () => {
    const result = merged(
      { name: 'a', address: '' },
      { name: 'b', address: '' },
      { name: 'a', address: 'host' },
    );
    expect(result.merged).toEqual({ name: 'b', address: 'host' });
    expect(result.changes).toEqual([
      { path: ['name'], side: 'mine', before: 'a', after: 'b', kind: 'scalar' },
      { path: ['address'], side: 'theirs', before: '', after: 'host', kind: 'scalar' },
    ]);
    expect(result.conflicts).toEqual([]);
  });

  test('conflict if changed differently, and theirs stays', () => {
    const result = merged({ name: 'a' }, { name: 'b' }, { name: 'c' });
    expect(result.merged).toEqual({ name: 'c' });
    expect(result.conflicts).toEqual([
      {
        id: '/name',
        path: ['name'],
        kind: 'scalar',
        reason: 'both-edited',
        base: 'a',
        mine: 'b',
        theirs: 'c',
      },
    ]);
  });

  test('treat undefined as a missing field, but null as a value', () => {
    expect(merged({ name: undefined }, {}, { name: undefined }).changes).toEqual([]);
    const { conflicts } = merged({ name: 'a' }, { name: null }, {});
    expect(conflicts).toMatchObject([{ reason: 'edited-deleted', mine: null, theirs: absent }]);
  });

  test('keep 64-bit integers exact', () => {
    const base = { name: 2n ** 63n - 1n };
    const result = merged(base, { name: 2n ** 63n - 2n }, base);
    expect(result.merged).toEqual({ name: 9223372036854775806n });
    expect(merged({ name: 1 }, { name: 1n }, { name: 2 }).conflicts).toHaveLength(1);
  });

  test('include fields that the policy does not declare', () => {
    const result = merged(
      { created: { at: 1, by: 'x' } },
      { created: { at: 2, by: 'x' } },
      { created: { at: 1, by: 'y' } },
    );
    expect(result.conflicts).toMatchObject([{ id: '/created', kind: 'scalar' }]);
  });
});

describe('sets', () => {
  test("never conflict: theirs plus mine's additions minus mine's removals", () => {
    const result = merged(
      { tags: ['a', 'b', 'c'] },
      { tags: ['d', 'c', 'a'] },
      { tags: ['c', 'b', 'a', 'e'] },
    );
    expect(result.merged).toEqual({ tags: ['c', 'a', 'e', 'd'] });
    expect(result.changes).toMatchObject([
      { side: 'both', before: ['a', 'b', 'c'], after: ['c', 'a', 'e', 'd'] },
    ]);
    expect(result.conflicts).toEqual([]);
  });

  test('ignore order and repetition', () => {
    expect(merged({ tags: ['a', 'b'] }, { tags: ['b', 'a', 'b'] }, { tags: ['a', 'b'] }).changes).toEqual([]);
  });

  test('are empty if missing or null', () => {
    expect(merged({}, { tags: ['a'] }, { tags: ['b'] }).merged).toEqual({ tags: ['b', 'a'] });
    expect(merged({ tags: ['a'] }, { tags: null }, { tags: ['a', 'b'] }).merged).toEqual({ tags: ['b'] });
  });

  test('conflict as a map entry that one side deleted and the other changed', () => {
    const result = merge(
      record({ roles: map(set) }),
      { roles: { x: ['a'] } },
      { roles: {} },
      { roles: { x: ['a', 'b'] } },
    );
    expect(result.conflicts).toMatchObject([
      { id: '/roles/x', kind: 'set', reason: 'deleted-edited', mine: absent },
    ]);
  });
});

describe('maps and records', () => {
  test('merge by key', () => {
    const result = merged(
      { labels: { a: 1, b: 2 } },
      { labels: { a: 1, c: 3 } },
      { labels: { a: 9, b: 2, d: 4 } },
    );
    expect(result.merged).toEqual({ labels: { a: 9, c: 3, d: 4 } });
    expect(result.changes).toMatchObject([
      { path: ['labels', 'a'], side: 'theirs', before: 1, after: 9 },
      { path: ['labels', 'b'], side: 'mine', before: 2, after: absent },
      { path: ['labels', 'd'], side: 'theirs', before: absent, after: 4 },
      { path: ['labels', 'c'], side: 'mine', before: absent, after: 3 },
    ]);
  });

  test('conflict for an edit against a deletion, a deletion against an edit, and two additions', () => {
    const { merged: labels, conflicts } = merged(
      { labels: { here: 1, there: 1 } },
      { labels: { here: 2, new: 1 } },
      { labels: { there: 2, new: 2 } },
    );
    expect(conflicts.map(({ id, reason }) => [id, reason])).toEqual([
      ['/labels/there', 'deleted-edited'],
      ['/labels/new', 'both-added'],
      ['/labels/here', 'edited-deleted'],
    ]);
    expect(labels).toEqual({ labels: { there: 2, new: 2 } });
  });

  test('treat keys of Object.prototype as data', () => {
    const theirs: object = JSON.parse('{"labels":{"__proto__":{"polluted":true},"constructor":1}}');
    const mine: object = JSON.parse('{"labels":{"toString":2},"__proto__":{"polluted":true}}');
    const result = merged({ labels: {} }, mine, theirs);
    expect(JSON.stringify(result.merged)).toBe(
      '{"labels":{"__proto__":{"polluted":true},"constructor":1,"toString":2},"__proto__":{"polluted":true}}',
    );
    expect('polluted' in {}).toBe(false);
    expect(Object.getPrototypeOf(result.merged)).toBe(null);
    expect(merged({ labels: {} }, mine, {}).merged).not.toHaveProperty('polluted');
  });

  test('choose a value of another shape as a whole', () => {
    const result = merged({ labels: { a: 1 } }, { labels: 'none' }, { labels: { a: 2 } });
    expect(result.conflicts).toMatchObject([{ id: '/labels', kind: 'map', mine: 'none', theirs: { a: 2 } }]);
    expect(merged({ labels: { a: 1 } }, { labels: null }, { labels: { a: 1 } }).merged).toEqual({
      labels: null,
    });
  });

  test('mark conflicts of secrets as opaque', () => {
    const result = merged({ secrets: { k: '1' } }, { secrets: { k: '2' } }, { secrets: { k: '3' } });
    expect(result.conflicts).toMatchObject([{ id: '/secrets/k', kind: 'opaque' }]);
  });

  test('identify conflicts by JSON Pointer', () => {
    const result = merged({ labels: {} }, { labels: { 'a/b~c': 1 } }, { labels: { 'a/b~c': 2 } });
    expect(result.conflicts[0]?.id).toBe('/labels/a~1b~0c');
  });
});

describe('groups', () => {
  const base = { type: 'tcp', attributes: { port: 1 } };

  test('conflict once if both sides changed any of their fields', () => {
    const mine = { type: 'ssh', attributes: { port: 1 } };
    const theirs = { type: 'tcp', attributes: { port: 2 } };
    const result = merged(base, mine, theirs);
    expect(result.merged).toEqual(theirs);
    expect(result.changes).toEqual([]);
    const conflict = {
      id: '~{kind}',
      path: [],
      fields: ['type', 'attributes'],
      kind: 'group',
      reason: 'both-edited',
    };
    expect(result.conflicts).toEqual([{ ...conflict, base, mine, theirs }]);
  });

  test('do not conflict if only one side changed them, or both equally', () => {
    const mine = { type: 'ssh', attributes: { port: 22 } };
    expect(merged(base, mine, base)).toMatchObject({ merged: mine, conflicts: [] });
    expect(merged(base, mine, mine)).toMatchObject({ merged: mine, conflicts: [] });
  });

  test('conflict if one side sets an address and the other adds a host source, although a set alone never conflicts', () => {
    const result = merged(
      { hostSourceIds: [] },
      { address: 'host', hostSourceIds: [] },
      { hostSourceIds: ['hs'] },
    );
    expect(result.conflicts).toMatchObject([
      { id: '~{hosts}', mine: { address: 'host', hostSourceIds: [] }, theirs: { hostSourceIds: ['hs'] } },
    ]);
    expect(result.merged).toEqual({ hostSourceIds: ['hs'] });
  });

  test('merge a field by its own policy if it is the only one that both changed', () => {
    const sets = merged(
      { address: '', hostSourceIds: ['a', 'b'] },
      { address: '', hostSourceIds: ['a', 'b', 'mine'] },
      { address: '', hostSourceIds: ['b', 'theirs'] },
    );
    expect(sets.conflicts).toEqual([]);
    expect(sets.merged).toEqual({ address: '', hostSourceIds: ['b', 'theirs', 'mine'] });
    const addresses = merged({ address: '' }, { address: 'mine' }, { address: 'theirs' });
    expect(addresses.conflicts).toMatchObject([{ id: '/address', kind: 'scalar' }]);
  });

  test('conflict if both changed one field and one side another', () => {
    const { conflicts } = merged(
      { address: '', hostSourceIds: ['a'] },
      { address: 'host', hostSourceIds: [] },
      { address: '', hostSourceIds: ['a', 'theirs'] },
    );
    expect(conflicts.map(({ id }) => id)).toEqual(['~{hosts}']);
  });
});

describe('lists', () => {
  test("merge item by item, in the order of theirs, then mine's additions", () => {
    const result = merged(
      { rules: [{ id: 1, action: 'allow', ports: ['1'] }, { id: 2 }] },
      { rules: [{ id: 3 }, { id: 1, action: 'deny', ports: ['1'] }, { id: 2 }] },
      { rules: [{ id: 4 }, { id: 1, action: 'allow', ports: ['1', '2'] }] },
    );
    expect(result.merged).toEqual({
      rules: [{ id: 4 }, { id: 1, action: 'deny', ports: ['1', '2'] }, { id: 3 }],
    });
    expect(result.conflicts).toEqual([]);
    expect(result.changes.map(({ path, side }) => [path.join('.'), side])).toEqual([
      ['rules.4', 'theirs'],
      ['rules.1.action', 'mine'],
      ['rules.1.ports', 'theirs'],
      ['rules.3', 'mine'],
      ['rules.2', 'theirs'],
    ]);
  });

  test("ignore order, but keep mine's if theirs left it unchanged", () => {
    const result = merged(
      { rules: [{ id: 1 }, { id: 2 }] },
      { rules: [{ id: 2 }, { id: 1 }] },
      { rules: [{ id: 1, ports: ['1'] }, { id: 2 }] },
    );
    expect(result.merged).toEqual({ rules: [{ id: 2 }, { id: 1, ports: ['1'] }] });
    expect(result.changes).toHaveLength(1);
  });

  test('are one value if an item has no key or a duplicate one', () => {
    for (const rules of [[{}], [{ id: 1 }, { id: '1' }], ['1']]) {
      const { conflicts } = merged({ rules: [] }, { rules }, { rules: [{ id: 2 }] });
      expect(conflicts).toMatchObject([{ id: '/rules', kind: 'list', mine: rules, theirs: [{ id: 2 }] }]);
    }
  });
});

describe('text', () => {
  test('merges by lines, and conflicts as a whole', () => {
    const base = 'one\ntwo\nthree\nfour\n';
    const mine = base.replace('one', 'ONE');
    expect(
      merged({ description: base }, { description: mine }, { description: `${base}five\n` }).merged,
    ).toEqual({
      description: 'ONE\ntwo\nthree\nfour\nfive\n',
    });
    const theirs = base.replace('one', 'eins').replace('four', 'vier');
    const result = merged({ description: base }, { description: mine }, { description: theirs });
    expect(result.conflicts).toMatchObject([{ id: '/description', kind: 'text', base, mine, theirs }]);
    expect(result.merged).toEqual({ description: theirs });
  });
});

test('refuses values that are not records', () => {
  expect(() => merge<unknown>(policy, {}, null, {})).toThrow(
    'Only records can be merged, and mine is not one.',
  );
  expect(() => merge<unknown>(policy, [], {}, {})).toThrow(TypeError);
});
