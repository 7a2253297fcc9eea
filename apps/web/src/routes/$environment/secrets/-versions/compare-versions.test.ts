import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { compareVersions, comparisonInWords, fieldName } from './compare-versions.ts';

const told = (before: string, after: string, what: 'values' | 'structure' = 'values') =>
  compareVersions(before, after, what).map(({ path, change }) => `${fieldName(path)}: ${change}`);

describe('comparing two versions', () => {
  test("reports each field's change, in the order of the later version", () => {
    expect(told('{"gone":1,"user":"a","pw":"x","also":2}', '{"pw":"y","user":"a","url":"u"}')).toEqual([
      'gone: removed',
      'pw: changed',
      'also: removed',
      'user: same',
      'url: added',
    ]);
  });

  test('compares inside objects, but lists as a whole', () => {
    expect(
      told('{"db":{"user":"a","pw":"x"},"hosts":["a"]}', '{"db":{"user":"a"},"hosts":["a","b"]}'),
    ).toEqual(['db › user: same', 'db › pw: removed', 'hosts: changed']);
    expect(told('{"db":"x"}', '{"db":{"user":"a"}}')).toEqual(['db: removed', 'db › user: added']);
    expect(told('{"db":{}}', '{"db":{}}')).toEqual(['db: same']);
  });

  test("distinguishes names that look alike, and numbers that JavaScript can't", () => {
    expect(told('{"a":{"b":1},"a › b":1}', '{"a":{"b":1}}')).toEqual(['a › b: same', 'a › b: removed']);
    expect(told('{"n":9007199254740993}', '{"n":9007199254740992}')).toEqual(['n: changed']);
    expect(told('{"n":1.0}', '{"n":1}')).toEqual(['n: same']);
    expect(told('{"__proto__":1}', '{"constructor":1}')).toEqual([
      '__proto__: removed',
      'constructor: added',
    ]);
  });

  test('reads a deep version once, and not again at each level', () => {
    const deep = (value: string): string => `${'{"a":'.repeat(450)}"${value}"${'}'.repeat(450)}`;
    const read = vi.spyOn(JSON, 'parse');
    const fields = compareVersions(deep('x'), deep('y'), 'values');
    const names = read.mock.calls.length;
    read.mockRestore();
    expect(fields.map(({ path, change }) => [path.length, change])).toEqual([[450, 'changed']]);
    expect(names).toBeLessThan(3 * 450);
  });

  test('compares only names of structures, without values', () => {
    const fields = compareVersions('{"a":null,"b":null}', '{"b":null,"c":null}', 'structure');
    expect(fields.map(({ change }) => change)).toEqual(['removed', 'unknown', 'added']);
    expect(fields.every(({ before, after }) => before === undefined && after === undefined)).toBe(true);
  });

  test('is summarized in words', () => {
    expect(comparisonInWords(compareVersions('{"a":1,"b":2}', '{"a":2,"b":2,"c":3}', 'values'))).toBe(
      '1 changed, 1 added, 1 the same',
    );
    expect(comparisonInWords([])).toBe('No fields');
  });

  test('reports the reverse when the versions are swapped', () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
      fc.jsonValue({ maxDepth: 1 }),
    );
    fc.assert(
      fc.property(object, object, (one, two) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(two)];
        const swap: Readonly<Record<string, string>> = { added: 'removed', removed: 'added' };
        const forth = compareVersions(a, b, 'values').map((field) => [field.path, field.change]);
        const back = compareVersions(b, a, 'values').map(({ path, change }) => [
          path,
          swap[change] ?? change,
        ]);
        expect(new Set(forth.map((item) => JSON.stringify(item)))).toEqual(
          new Set(back.map((item) => JSON.stringify(item))),
        );
        expect(compareVersions(a, a, 'values').every(({ change }) => change === 'same')).toBe(true);
      }),
    );
  });
});
