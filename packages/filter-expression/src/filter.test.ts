import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesFilter } from './evaluate.ts';
import { FilterSyntaxError } from './expression.ts';
import { parseFilter } from './parse.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const datum = {
  item: {
    name: 'db-1',
    description: '',
    version: 3,
    ratio: 1.5,
    enabled: true,
    nothing: null,
    attributes: { default_port: 22, default_client_port: null },
    scope: { id: 'p_1234567890' },
    ids: ['hsst_1', 'hsst_2'],
    empty: [],
    tags: { env: ['prod', 'eu'], 'a/b': ['x'], 'team~1': ['y'] },
    hosts: [
      { name: 'one', port: 1 },
      { name: 'two', port: 2 },
    ],
  },
};
const matches = (text: string): boolean => matchesFilter(parseFilter(text), datum);

describe('a matching filter', () => {
  test.each([
    ['"/item/name" == "db-1"'],
    ['"/item/name"=="db-1"'],
    ['"/item/name" == `db-1`'],
    ['"/item/name" != db'],
    ['"/item/version" == 3'],
    ['"/item/version" == "3"'],
    ['"/item/ratio" == 1.5'],
    ['"/item/enabled" == true'],
    ['"/item/enabled" == "1"'],
    ['"/item/attributes/default_port" == 22'],
    ['"/item/scope/id" == p_1234567890'],
    ['item.scope.id == p_1234567890'],
    ['item["scope"].id == p_1234567890'],
    ['"/item/name" contains "b-"'],
    ['"/item/name" not contains "x"'],
    ['"b-" in "/item/name"'],
    ['"x" not in "/item/name"'],
    ['hsst_2 in "/item/ids"'],
    ['"/item/ids" contains hsst_1'],
    ['"prod" in "/item/tags/env"'],
    ['env in "/item/tags"'],
    ['"/item/tags/a~1b" contains "x"'],
    ['"/item/tags/team~01" contains "y"'],
    ['item.ids.0 == hsst_1'],
    ['"/item/ids/1" == hsst_2'],
    ['"/item/name" matches "^db-[0-9]$"'],
    ['"/item/name" matches `^db-\\d$`'],
    ['"/item/name" not matches "^x"'],
    ['"/item/description" is empty'],
    ['"/item/empty" is empty'],
    ['"/item/tags" is not empty'],
    ['"/item/nothing" is nil'],
    ['"/item/name" is not nil'],
    ['not "/item/name" == x'],
    ['not not "/item/name" == "db-1"'],
    ['"/item/version" == 4 or "/item/version" == 3'],
    ['"/item/version" == 3 and not ("/item/name" == a or "/item/name" == b)'],
    ['"/item/version" == 4 and "/item/name" == x or "/item/version" == 3'],
    ['( "/item/version" == 3 )'],
    ['any "/item/hosts" as h { h.port == 2 }'],
    ['any "/item/hosts" as h { "/h/port" == 2 }'],
    ['all "/item/hosts" as h { h.name matches "^(one|two)$" }'],
    ['any "/item/hosts" as i, h { i == 1 and h.name == two }'],
    ['any "/item/hosts" as _, h { h.name == two }'],
    ['any "/item/tags" as name { name == env }'],
    ['any "/item/tags" as name, values { any values as v { v == prod and name == env } }'],
    ['all "/item/empty" as x { x == 1 }'],
  ])('%s', (text) => {
    expect(matches(text)).toBe(true);
  });
});

describe("a filter that doesn't match", () => {
  test.each([
    ['"/item/name" == db'],
    ['"/item/version" == 4'],
    ['"/item/enabled" != true'],
    ['any "/item/empty" as x { x == 1 }'],
    ['all "/item/hosts" as h { h.port == 2 }'],
    ['"/item/name" is empty'],
  ])('%s', (text) => {
    expect(matches(text)).toBe(false);
  });
});

describe('a missing key', () => {
  test.each([
    ['"/item/none" == x', false],
    ['"/item/none" != x', true],
    ['x in "/item/none"', false],
    ['x not in "/item/none"', true],
    ['"/item/none" matches x', false],
    ['"/item/none" not matches x', true],
    ['"/item/none" is empty', true],
    ['"/item/none" is not empty', false],
    ['"/item/none" is nil', true],
    ['"/item/none" is not nil', false],
    ['all "/item/none" as x { x == 1 }', true],
    ['any "/item/none" as x { x == 1 }', false],
    ['"/item/attributes/default_client_port" == 5', false],
    ['"/item/attributes/default_client_port" != 5', true],
  ])('%s is %j', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });
});

describe("a clause that doesn't apply to its value, or its negation, doesn't match", () => {
  test.each([
    ['"/item/version" == abc'],
    ['not "/item/version" == abc'],
    ['"/item/version" contains 3'],
    ['"/item/version" matches "3"'],
    ['"/item/version" is empty'],
    ['"/item/name/deeper" == x'],
    ['"/item/none/deeper" == x'],
    ['"/item/tags" == x'],
    ['"/item/ids/9" == x'],
    ['"/item/enabled" == maybe'],
    ['any "/item/name" as x { x == 1 }'],
  ])('%s', (text) => {
    expect(matches(text)).toBe(false);
  });
});

describe('syntax errors', () => {
  test.each([
    ['', 0],
    ['   ', 3],
    ['name', 4],
    ['"/item/name"', 12],
    ['"/item/name" ==', 15],
    ['"/item/name" == "x', 16],
    ['"/item/name" == x y', 18],
    ['"/item/name" = x', 13],
    ['("/item/name" == x', 18],
    ['"/item/name" == x)', 17],
    ['"/item/name" == x and', 21],
    ['"/item/name" == 12a', 18],
    ['"/item/name" is', 15],
    ['"/item/name" matches "("', 21],
    ['"/item/name" matches `(?=x)`', 21],
    ['"/item/name" == "\\q"', 16],
    ['any "/item/ids" as { x == 1 }', 19],
    ['any "/item/ids" as x { x == 1', 29],
    ['"item/name" == x', 12],
  ])('fail for %j at %i', (text, position) => {
    let caught: unknown;
    try {
      parseFilter(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(FilterSyntaxError);
    expect(caught).toMatchObject({ position });
  });

  test('name the expected tokens', () => {
    expect(() => parseFilter('"/item/name" = x')).toThrow(
      /^at character 14: "=" is unexpected; expected .*"=="/,
    );
    expect(() => parseFilter('"/item/name" == x and')).toThrow('the expression ends');
  });

  test('refuse a text that is too long or nested too deeply', () => {
    expect(() => parseFilter(`"/a" == ${'x'.repeat(5000)}`)).toThrow('at most 4096');
    expect(() => parseFilter(`${'('.repeat(2000)}a == b${')'.repeat(2000)}`)).toThrow('nested too deeply');
    expect(() => parseFilter(`${'not '.repeat(1000)}a == b`)).toThrow('nested too deeply');
    expect(parseFilter(`${'('.repeat(90)}a == b${')'.repeat(90)}`)).toMatchObject({ kind: 'compare' });
  });
});

test('decodes escapes in double quotes', () => {
  expect(parseFilter('a == "\\n\\t\\\\\\x41\\u00e9\\101"')).toMatchObject({ value: '\n\t\\A\u00e9A' });
});

test('matches a pathological pattern in linear time', () => {
  const evil = parseFilter('"/item/name" matches "^(a+)+$"');
  expect(matchesFilter(evil, { item: { name: `${'a'.repeat(5000)}!` } })).toBe(false);
});

test('either parses any text or refuses it with a position, and can evaluate what it parsed', () => {
  const token = fc.constantFrom(
    '"/item/name"',
    'item.version',
    '"x"',
    '`y`',
    '12',
    'and',
    'or',
    'not',
    'in',
    'is',
    'empty',
    'nil',
    'contains',
    'matches',
    '==',
    '!=',
    '(',
    ')',
    'any',
    'all',
    'as',
    '{',
    '}',
    '"',
    '[',
    ']',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' ')),
  );
  fc.assert(
    fc.property(text, (expression) => {
      try {
        expect(typeof matches(expression)).toBe('boolean');
      } catch (error) {
        if (!(error instanceof FilterSyntaxError)) throw error;
        expect(error.position).toBeGreaterThanOrEqual(0);
        expect(error.position).toBeLessThanOrEqual(expression.length);
      }
    }),
    { numRuns: deep ? 100_000 : 5000 },
  );
});

test('obeys the laws of and, or, not', () => {
  const leaf = fc.constantFrom(
    ['"/item/name" == "db-1"', true],
    ['"/item/version" == 4', false],
    ['x in "/item/none"', false],
    ['"/item/empty" is empty', true],
  ) as fc.Arbitrary<[string, boolean]>;
  const { tree } = fc.letrec<{ tree: [string, boolean] }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      tie('tree').map(([text, value]): [string, boolean] => [`not (${text})`, !value]),
      fc
        .tuple(tie('tree'), tie('tree'))
        .map(([a, b]): [string, boolean] => [`(${a[0]}) and (${b[0]})`, a[1] && b[1]]),
      fc
        .tuple(tie('tree'), tie('tree'))
        .map(([a, b]): [string, boolean] => [`( ${a[0]} ) or (${b[0]})`, a[1] || b[1]]),
    ),
  }));
  fc.assert(
    fc.property(tree, ([text, value]) => {
      fc.pre(text.length <= 4096);
      expect(matches(text)).toBe(value);
    }),
    { numRuns: deep ? 20_000 : 1000 },
  );
});
