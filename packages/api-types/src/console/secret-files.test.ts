import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entriesOf, stringOf } from './json-text.ts';
import { dotenvOf, jsonFileOf, readDotenv, readJsonFile, SecretFileError } from './secret-files.ts';

test('reads an exported JSON file back unchanged', () => {
  const entries = [
    { path: 'app/db', data: '{"n":12345678901234567890,"__proto__":"x"}' },
    { path: '__proto__', data: '{}' },
    { path: 'with "quotes" % ü', data: '{"multi":"a\\nb"}' },
  ];
  expect(readJsonFile(jsonFileOf(entries))).toEqual(entries);
  expect(readJsonFile('{}')).toEqual([]);
  expect(() => readJsonFile('{"a": 1}')).toThrow(/"a" is not an object/);
  expect(() => readJsonFile('{\n"a": {')).toThrow(expect.objectContaining({ line: 2 }));
});

describe('dotenv', () => {
  test('reads any written text back unchanged', () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
    const value = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', ' ', '#', "'", '"', '`', '\\', '$', '\n', '\r', '=', 'n', 'ü'),
      }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (fields) => {
        const data = JSON.stringify(fields);
        const { text, left } = dotenvOf(data);
        expect(left).toEqual([]);
        expect(JSON.parse(readDotenv(text))).toEqual(JSON.parse(data));
      }),
    );
  });

  test('reads files of other tools', () => {
    const text = [
      '\uFEFF# a comment',
      '',
      'A=1',
      'export B = two words # said',
      "C='single # $x \\n'",
      'D="double \\"x\\" \\n\\$ #"   # comment',
      'E=',
      'F="over',
      'two lines"',
      'G=a#b',
      'H=`a #b "c" \'d\' \\n $x` # comment',
      'I=`over',
      "two lines'` ",
      "J='over",
      "two `lines`'#comment",
      'K=a`b`"c"',
      'A=last',
      'L=x # a\u2028b',
      'M= # nothing',
      "N= 'after a blank'",
      '  # end',
      ' \u00A0',
    ].join('\r\n');
    expect(entriesOf(readDotenv(text)).map(({ key, text: value }) => [key, stringOf(value)])).toEqual([
      ['A', 'last'],
      ['B', 'two words'],
      ['C', 'single # $x \\n'],
      ['D', 'double "x" \n$ #'],
      ['E', ''],
      ['F', 'over\ntwo lines'],
      ['G', 'a#b'],
      ['H', 'a #b "c" \'d\' \\n $x'],
      ['I', "over\ntwo lines'"],
      ['J', 'over\ntwo `lines`'],
      ['K', 'a`b`"c"'],
      ['L', 'x'],
      ['M', ''],
      ['N', 'after a blank'],
    ]);
  });

  test("reports keys that a file can't hold, and names a bad line without its text", () => {
    expect(dotenvOf('{"a b":1,"N":12345678901234567890,"O":{"x":1}}')).toEqual({
      text: 'N=12345678901234567890\nO=\'{"x":1}\'\n',
      left: ['a b'],
    });
    let error: unknown;
    try {
      readDotenv('A=1\nB="canary');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SecretFileError);
    expect(error).toMatchObject({ line: 2 });
    expect(String(error)).not.toContain('canary');
  });

  test.each([
    ["A= 'not closed", 1],
    ["A=1\nB= 'a' b", 2],
    [`A="${'\\n'.repeat(6_000_000)}"`, 1],
  ])('refuses ambiguous or oversized input (%#)', (text, line) => {
    expect(() => readDotenv(text)).toThrow(expect.objectContaining({ name: 'SecretFileError', line }));
  });

  test('reads a long value', () => {
    const data = JSON.stringify({ KEY: `-----BEGIN\n${'x'.repeat(1_000_000)}'\n` });
    expect(readDotenv(dotenvOf(data).text)).toBe(data);
  });
});
