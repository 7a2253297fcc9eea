import { describe, expect, test } from 'vitest';
import type { Change, Entry } from '#store/replication/replication-store.ts';
import {
  filterHash,
  historyUntil,
  packChanges,
  packEntries,
  sameHistory,
  unpackChanges,
  unpackEntries,
} from './wire.ts';

const changes: Change[] = [
  {
    table: 'kv_version',
    key: ['m1', 'db/"x"\u2028\ud800', 3],
    values: [Buffer.from('secret'), null, 1.5, ''],
  },
  { table: 'mount', key: ['m2', new Uint8Array([0, 255])], values: null },
  { table: 'policy', key: ['p'], values: [new Uint8Array(), 2 ** 53 - 1] },
];

/** The same changes whatever kind of array their bytes are in. */
function plain(list: readonly Change[]): unknown {
  return list.map(({ table, key, values }) => ({
    table,
    key: key.map(bytes),
    values: values?.map(bytes) ?? null,
  }));
}

function bytes(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: [...value] } : value;
}

describe('records on the wire', () => {
  test('changes arrive as they were', () => {
    expect(plain(unpackChanges(packChanges(changes)))).toEqual(plain(changes));
    expect(unpackChanges(packChanges([]))).toEqual([]);
  });

  test('entries arrive as they were, and their bytes are told apart', () => {
    const entries: Entry[] = [
      { seq: 1, time: 1000, changes },
      { seq: 2, time: 1001, changes: [] },
      { seq: 7, time: 1002, changes: [{ table: 'kv', key: [], values: [Buffer.from('other')] }] },
    ];
    const arrived = unpackEntries(packEntries(entries));
    expect(arrived.map(({ seq, time }) => [seq, time])).toEqual([
      [1, 1000],
      [2, 1001],
      [7, 1002],
    ]);
    expect(arrived.map((entry) => plain(entry.changes))).toEqual(
      entries.map((entry) => plain(entry.changes)),
    );
  });

  test.each([
    '{}',
    '[["t",["k"],[true]]]',
    '[["t",["k"],[[0]]]]',
    '[["t",["k"],[["x"]]]]',
    '[[1,[],null]]',
    '[["t",null,null]]',
  ])('what has another form is refused: %s', (json) => {
    expect(() => unpackChanges({ json, values: [] })).toThrow(TypeError);
  });

  test('entries without a number or a time are refused', () => {
    expect(() => unpackEntries({ json: '[["1",1,[]]]', values: [] })).toThrow(TypeError);
    expect(() => unpackEntries({ json: '[[1,null,[]]]', values: [] })).toThrow(TypeError);
  });
});

describe('filters and histories', () => {
  test('a hash tells filters apart, whatever the order of their paths', () => {
    const hash = filterHash({ mode: 'deny', paths: ['b/', 'a/'] });
    expect(filterHash({ mode: 'deny', paths: ['a/', 'b/'] })).toBe(hash);
    expect(filterHash({ mode: 'allow', paths: ['a/', 'b/'] })).not.toBe(hash);
    expect(filterHash({ mode: 'deny', paths: ['a/'] })).not.toBe(hash);
    expect(filterHash({ mode: 'deny', paths: [] })).not.toBe('');
    expect(filterHash(undefined)).toBe('');
  });

  test('epochs that begin later are not yet part of a history', () => {
    const history = [
      { id: 'a', after: 0 },
      { id: 'b', after: 5 },
    ];
    expect(historyUntil(history, 4)).toEqual([{ id: 'a', after: 0 }]);
    expect(historyUntil(history, 5)).toEqual(history);
    expect(historyUntil([], 5)).toEqual([]);
    expect(sameHistory(history, [...history])).toBe(true);
    expect(sameHistory(history, history.slice(1))).toBe(false);
    expect(
      sameHistory(history, [
        { id: 'a', after: 0 },
        { id: 'b', after: 6 },
      ]),
    ).toBe(false);
  });
});
