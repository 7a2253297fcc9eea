import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  checkJsonText,
  entriesOf,
  isStoredAs,
  JsonTextError,
  leavesOf,
  mergePatch,
  nestingLimit,
  objectText,
  roundedNumbers,
  sameJson,
  stringOf,
  structureOf,
  valueAt,
} from './json-text.ts';

const spaced = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const objects = fc.dictionary(fc.string(), fc.jsonValue());

test('accepts exactly the texts that JSON.parse accepts', () => {
  const broken = fc.tuple(spaced, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + 1);
  });
  fc.assert(
    fc.property(fc.oneof(spaced, broken), (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      if (parses) expect(() => checkJsonText(text)).not.toThrow();
      else expect(() => checkJsonText(text)).toThrow(JsonTextError);
    }),
  );
});

test('extracts members without changing their text', () => {
  const text = ' {"a" : 12345678901234567890.10 , "__proto__":{"x":[1, 2]},"a":"é\\u0000\\n"} ';
  expect(entriesOf(text)).toEqual([
    { key: 'a', text: '12345678901234567890.10' },
    { key: '__proto__', text: '{"x":[1, 2]}' },
    { key: 'a', text: '"é\\u0000\\n"' },
  ]);
  expect(objectText(entriesOf(text))).toBe(
    '{"a":12345678901234567890.10,"__proto__":{"x":[1, 2]},"a":"é\\u0000\\n"}',
  );
  expect(valueAt(text, ['__proto__', 'x'])).toBe('[1, 2]');
  expect(valueAt(text, ['a'])).toBe('"é\\u0000\\n"');
  expect(valueAt(text, ['b', 'c'])).toBeUndefined();
});

test('writes objects on one line, or each member on its own', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key: fc.string(), text: spaced })), (entries) => {
      const members = (space: string) =>
        entries.map(({ key, text }) => `${JSON.stringify(key)}:${space}${text}`);
      expect(objectText(entries)).toBe(`{${members('').join(',')}}`);
      if (entries.length > 0) expect(objectText(entries, true)).toBe(`{\n  ${members(' ').join(',\n  ')}\n}`);
    }),
  );
});

test.each([
  ['[1]', 'must be an object', 1, 1],
  ['{"a": 1', 'comma or a closing brace', 1, 8],
  ['{"a"\n: tru}', 'A value is missing', 2, 3],
  ['{"a": "x', 'not closed', 1, 9],
  ['{"a": "\\x"}', 'escaped', 1, 8],
  ['{} x', 'Unexpected text after', 1, 4],
  ['', 'A value is missing', 1, 1],
])('refuses %j: %s', (text, message, line, column) => {
  let error: unknown;
  try {
    entriesOf(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ line, column });
  expect(String(error)).toContain(message);
});

test('limits nesting but not length', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => checkJsonText(nested(nestingLimit + 1))).not.toThrow();
  expect(() => checkJsonText(nested(nestingLimit + 2))).toThrow(/levels deep/);
  const long = JSON.stringify({ key: '\\"line\n'.repeat(400_000) });
  expect(entriesOf(long)[0]?.text).toBe(long.slice(7, -1));
});

describe('comparing values', () => {
  test.each([
    ['{"a":1,"b":2}', '{ "b": 2, "a": 1.0 }', true],
    ['{"a":1,"a":2}', '{"a":2}', true],
    ['12345678901234567890', '12345678901234567891', false],
    ['1e2', '100', true],
    ['1e+2', '100', true],
    ['1e-00000000000000000002', '0.01', true],
    ['1e99999999999999', '10e99999999999998', true],
    ['-0', '0', true],
    ['0.10', '1E-1', true],
    ['"\\u0041"', '"A"', true],
    ['"1"', '1', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['null', 'false', false],
    ['{"a":null}', '{}', false],
    ['{"__proto__":1}', '{}', false],
  ])('%s and %s are equal: %j', (a, b, same) => {
    expect(sameJson(a, b)).toBe(same);
    expect(sameJson(b, a)).toBe(same);
  });

  test('compares exponents that no computer can calculate with as text', () => {
    expect(sameJson('1e1000000000000000000', '10e999999999999999999')).toBe(false);
    const huge = `1e${'9'.repeat(4_000_000)}`;
    expect(sameJson(`{"n":${huge}}`, `{"n": ${huge}}`)).toBe(true);
    expect(sameJson(`{"n":${huge}}`, `{"n":${huge}0}`)).toBe(false);
  });

  test('ignores space and the order of keys', () => {
    const shuffled = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, one]) => [key, shuffled(one)]),
          )
        : value;
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        expect(sameJson(JSON.stringify(a), JSON.stringify(shuffled(a), null, 2))).toBe(true);
        const keys = (from: object): string => JSON.stringify(Object.keys(from).sort());
        if (keys(a) !== keys(b)) expect(sameJson(JSON.stringify(a), JSON.stringify(b))).toBe(false);
      }),
    );
  });
});

test('finds leaves by pointer, with the last of equal keys', () => {
  expect(leavesOf('{"a/b~":{"c":[1,{}]},"d":"x","d":"y","e":{}}')).toEqual([
    { pointer: '/a~1b~0/c/0', text: '1' },
    { pointer: '/a~1b~0/c/1', text: '{}' },
    { pointer: '/d', text: '"y"' },
    { pointer: '/e', text: '{}' },
  ]);
  expect(stringOf('"a\\n"')).toBe('a\n');
  expect(stringOf('1')).toBeUndefined();
});

test('returns a structure with every name and no value', () => {
  const text = '{"a":1,"b":{"c":"x","d":{"e":[{"f":1}]}},"g":{},"__proto__":2}';
  expect(structureOf(text)).toBe('{"a":null,"b":{"c":null,"d":{"e":null}},"g":null,"__proto__":null}');
  expect(structureOf('{}')).toBe('{}');
});

test('applies merge patches as in RFC 7396', () => {
  const apply = (target: unknown, patch: unknown): unknown => {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
    const merged = new Map<string, unknown>(
      typeof target === 'object' && target !== null && !Array.isArray(target) ? Object.entries(target) : [],
    );
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) merged.delete(key);
      else merged.set(key, apply(merged.get(key), value));
    }
    return Object.fromEntries(merged);
  };
  const few = fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom(null, 1, 'x', [1]),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
      ),
    })).value,
  );
  fc.assert(
    fc.property(few, few, (target, patch) => {
      expect(JSON.parse(mergePatch(JSON.stringify(target), JSON.stringify(patch)))).toEqual(
        apply(target, patch),
      );
    }),
  );
  expect(mergePatch('', '{"a":{"b":null,"c":12345678901234567890}}')).toBe(
    '{"a":{"c":12345678901234567890}}',
  );
});

test('structures and merge patches of a deep text copy it once', () => {
  const names = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [n, null])));
  const deep = (inner: string): string => `${'{"a":'.repeat(480)}${inner}${'}'.repeat(480)}`;
  const join = vi.spyOn(Array.prototype, 'join');
  const [structure, merged] = [structureOf(deep(names)), mergePatch(deep(names), deep('{"z":1}'))];
  const joined = join.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  join.mockRestore();
  expect(structure).toBe(deep(names));
  expect(merged).toBe(deep(`${names.slice(0, -1)},"z":1}`));
  expect(joined).toBeLessThan(3 * deep(names).length);
});

describe('numbers on a server that reads doubles', () => {
  test('are rounded to doubles, or null beyond their range', () => {
    const text =
      '{"a":9007199254740992,"b":9007199254740993,"c":[0.1,{"d":0.12345678901234567891}],"e":1e400,"f":1e2,"g":"9007199254740993","h":100000000000000000000000}';
    expect(roundedNumbers(text)).toEqual([
      { pointer: '/b', becomes: '9007199254740992' },
      { pointer: '/c/1/d', becomes: '0.12345678901234568' },
      { pointer: '/e', becomes: null },
    ]);
  });

  test('count as stored if they are equal to the sent number or its rounding', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(isStoredAs(text, text)).toBe(true);
        expect(roundedNumbers(text)).toEqual([]);
      }),
    );
    expect(isStoredAs('[9007199254740992]', '[9007199254740993]')).toBe(true);
    expect(isStoredAs('[9007199254740993]', '[9007199254740993]')).toBe(true);
    // A sent number that a double holds exactly doesn't match another that rounds to it.
    expect(isStoredAs('[9007199254740993]', '[9007199254740992]')).toBe(false);
    expect(isStoredAs('[9007199254740994]', '[9007199254740993]')).toBe(false);
    expect(isStoredAs('[0]', '[1e400]')).toBe(false);
  });
});
