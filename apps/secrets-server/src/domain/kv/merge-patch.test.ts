import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';

/** The algorithm of RFC 7396, section 2, verbatim. */
function reference(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = reference(result[name], value);
  }
  return result;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * No name ends in a backslash: the `JSON.parse` of V8 14.6 reads `{"a":1,"\"":2}` as `{"a":1,"\\":2}` after it has
 * parsed the latter, which would make the reference wrong.
 */
const name = fc.constantFrom('a', 'b', 'c', '"', '\\n', 'ü');
const value = fc.letrec<{ map: Record<string, unknown>; any: unknown }>((tie) => ({
  map: fc.dictionary(name, tie('any'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'text', '"}{[,', true),
    tie('map'),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
}));

describe('a merge patch', () => {
  test('follows the algorithm of RFC 7396', () => {
    fc.assert(
      fc.property(value.map, value.map, fc.constantFrom(undefined, 1), (target, patch, space) => {
        const merged = mergePatch(
          JSON.stringify(target, undefined, space),
          JSON.stringify(patch, undefined, space),
        );
        expect(JSON.parse(merged)).toEqual(reference(target, patch));
      }),
      { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 100_000 : 1000 },
    );
  });

  test.each([
    ['{"a":1.0,"b":12345678901234567890}', '{"c":2}', '{"a":1.0,"b":12345678901234567890,"c":2}'],
    ['{"a":1}', '{"a":100000000000000000001}', '{"a":100000000000000000001}'],
    ['{"b":1,"a":2}', '{"a":3,"b":4}', '{"b":4,"a":3}'],
    ['{"x":1,"x":2,"y":3}', '{"y":4}', '{"x":1,"x":2,"y":4}'],
    ['{"x":1,"x":2}', '{"x":3}', '{"x":3}'],
    ['{"x":{"a":1},"x":{"b":2}}', '{"x":{"c":3}}', '{"x":{"b":2,"c":3}}'],
    ['{"x":1,"x":2}', '{"x":null}', '{}'],
    ['{"a":1}', '{"b":1,"b":2}', '{"a":1,"b":2}'],
    ['{"a":1}', '{"b":1,"b":null}', '{"a":1}'],
    ['{}', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"__proto__":{"a":1,"b":2}}', '{"__proto__":{"a":null}}', '{"__proto__":{"b":2}}'],
    [String.raw`{"\\":1,"\"":2}`, String.raw`{"\"":3}`, String.raw`{"\\":1,"\"":3}`],
    [String.raw`{"\u0061":1}`, '{"a":2}', String.raw`{"\u0061":2}`],
    ['{"a":[1,{"b":null}]}', '{"a":[null]}', '{"a":[null]}'],
    ['{ "a" : [ 1 , 2 ] }', '{}', '{"a":[ 1 , 2 ]}'],
  ])('keeps the text of %s under %s', (target, patch, merged) => {
    expect(mergePatch(target, patch)).toBe(merged);
  });

  test('is applied down to the maximum depth of a body', () => {
    const deep = (inner: string): string => `${'{"a":'.repeat(510)}${inner}${'}'.repeat(510)}`;
    expect(mergePatch(deep('{"x":1}'), deep('{"y":2}'))).toBe(deep('{"x":1,"y":2}'));
  });
});
