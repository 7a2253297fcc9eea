import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson, parseJson, textOfExact } from './parse-json.ts';

/** Names and texts of the critical characters, mixed with others. */
const odd = fc.string({ unit: fc.constantFrom('\\', '"', 'a', ':', ' ', '\n', 'n'), maxLength: 5 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, odd, fc.integer(), tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(odd, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

test('reads an escaped name correctly, whatever name precedes it', () => {
  for (const spaced of ['', ' ', '\n\t']) {
    for (const name of ['\\', '"', '\n', 'x\\', 'x"', 'x\u0000', '\\\\', '\\a', '__proto__', '__proto__"']) {
      const text = `{"a":1,${JSON.stringify(name)}${spaced}:[true, {"b": null}]}`;
      const value = parseJson(text) as object;
      expect(Object.entries(value)).toEqual([
        ['a', 1],
        [name, [true, { b: null }]],
      ]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  }
});

test('reads the output of JSON.stringify back unchanged', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, ' '), (written, space) => {
      const text = JSON.stringify(written, null, space);
      expect(JSON.stringify(parseJson(text), null, space)).toBe(text);
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 20_000 : 1_000 },
  );
});

test('refuses text that is not JSON', () => {
  for (const text of ['', '{', '{"a\\"":}', '{"a\\"" 1}', String.raw`\"":1`]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test('writes numbers back exactly as read', () => {
  const number = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?$/);
  fc.assert(
    fc.property(fc.array(number), odd, (numbers, name) => {
      const text = `{${JSON.stringify(`${name} x`)}:[${numbers.join(',')}],"b":{"c":${numbers[0] ?? 'null'}}}`;
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }),
  );
  expect(parseExactJson('[1,-0.5,"x",true,null]')).toEqual([1, -0.5, 'x', true, null]);
  expect(['1e400', '-0', '1.0', '9007199254740993'].map((text) => textOfExact(parseExactJson(text)))).toEqual(
    ['1e400', '-0', '1.0', '9007199254740993'],
  );
});
