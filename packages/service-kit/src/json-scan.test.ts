import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault, hasMoreMembers, isDeeper } from './json-scan.ts';

const limits = { maxDepth: 64, maxKeys: 10_000 };
const deep = process.env['GATEHOUSE_DEEP'] === '1';

describe('the first fault of a JSON text', () => {
  test.each([
    ['{"a":1,"a":2}', { kind: 'duplicate_key', key: 'a' }],
    ['{"a":1,"\\u0061":2}', { kind: 'duplicate_key', key: 'a' }],
    ['{"x":[{"b":{},"b" : 1}]}', { kind: 'duplicate_key', key: 'b' }],
    ['{"__proto__":{}}', { kind: 'forbidden_key', key: '__proto__' }],
    ['[{"\\u005f_proto__":1}]', { kind: 'forbidden_key', key: '__proto__' }],
    ['{"a":{"k":1},"b":{"k":2}}', undefined],
    ['{"a":"a","b":"a: \\"b\\":"}', undefined],
    ['["a","a","__proto__"]', undefined],
    ['{"a":"__proto__"}', undefined],
  ])('%s', (text, fault) => {
    expect(findJsonFault(text, limits)).toEqual(fault);
  });

  test('counts depth from the outermost value', () => {
    expect(findJsonFault('[[1]]', { maxDepth: 2, maxKeys: 9 })).toBeUndefined();
    expect(findJsonFault('[[[1]]]', { maxDepth: 2, maxKeys: 9 })).toEqual({ kind: 'too_deep' });
    expect(findJsonFault('[[1],[2],[3]]', { maxDepth: 2, maxKeys: 9 })).toBeUndefined();
    expect(findJsonFault('['.repeat(1_000_000), limits)).toEqual({ kind: 'too_deep' });
  });

  test('counts members and elements together', () => {
    expect(findJsonFault('{"a":[1,2],"b":1}', { maxDepth: 9, maxKeys: 3 })).toBeUndefined();
    expect(findJsonFault('{"a":[1,2],"b":1}', { maxDepth: 9, maxKeys: 2 })).toEqual({
      kind: 'too_many_keys',
    });
  });

  test('ignores keys inside a free member, but not outside', () => {
    const free = { ...limits, freeMembers: ['data'] };
    expect(findJsonFault('{"data":{"a":1,"a":{"__proto__":1}},"options":{}}', free)).toBeUndefined();
    expect(findJsonFault('{"data":{"a":{}},"o":{"b":1,"b":2}}', free)).toEqual({
      kind: 'duplicate_key',
      key: 'b',
    });
    expect(findJsonFault('{"o":{"data":{"b":1,"b":2}}}', free)).toEqual({ kind: 'duplicate_key', key: 'b' });
    expect(findJsonFault('{"data":{},"data":{}}', free)).toEqual({ kind: 'duplicate_key', key: 'data' });
    expect(findJsonFault('{"data":[[[[1]]]]}', { ...free, maxDepth: 4 })).toEqual({ kind: 'too_deep' });
  });

  test('finds no fault in the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.boolean(), (value, indented) => {
        const text = indented ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
        const fault = findJsonFault(text, { maxDepth: 1000, maxKeys: 1_000_000 });
        expect(fault === undefined || (fault.kind === 'forbidden_key' && text.includes('__proto__'))).toBe(
          true,
        );
      }),
      { numRuns: deep ? 20_000 : 1000 },
    );
  });

  test('finds a repeated member at any depth', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), fc.nat(8), (key, one, two, depth) => {
        fc.pre(key !== '__proto__' && !JSON.stringify([one, two]).includes('__proto__'));
        const name = JSON.stringify(key);
        let text = `{${name}: ${JSON.stringify(one)} ,${name}:${JSON.stringify(two)}}`;
        for (let level = 0; level < depth; level++) text = level % 2 === 0 ? `[${text},1]` : `{"in":${text}}`;
        expect(findJsonFault(text, { maxDepth: 1000, maxKeys: 1_000_000 })).toEqual({
          kind: 'duplicate_key',
          key,
        });
      }),
      { numRuns: deep ? 20_000 : 1000 },
    );
  });

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'a', ' ')), (parts) => {
        findJsonFault(parts.join(''), limits);
      }),
      { numRuns: deep ? 50_000 : 3000 },
    );
  });
});

test('counts objects and arrays in isDeeper, ignoring brackets in strings', () => {
  expect(isDeeper('{"a":[1]}', 2)).toBe(false);
  expect(isDeeper('{"a":[[1]]}', 2)).toBe(true);
  expect(isDeeper('[[1],[2],[3]]', 2)).toBe(false);
  expect(isDeeper('["[[[[", "\\"[[["]', 1)).toBe(false);
});

test('counts members and elements in hasMoreMembers, ignoring characters in strings', () => {
  const text = '{"a":[1,[ ]],"b":",,[["}';
  expect(hasMoreMembers(text, 3)).toBe(true);
  expect(hasMoreMembers(text, 4)).toBe(false);
});

test('steps over long numbers at once, and not over what follows', () => {
  for (const digits of [1, 63, 64, 65, 66, 200]) {
    const long = '7'.repeat(digits);
    for (const number of [long, `-${long}.${long}e+${long}`, `0.${long}`]) {
      const text = `{"a":${number},"b":[${number},${number} ],"c":{"d":${number}}}`;
      expect([4, 5].map((most) => hasMoreMembers(text, most))).toEqual([true, true]);
      expect([6, 7].map((most) => hasMoreMembers(text, most))).toEqual([false, false]);
      expect([1, 2].map((depth) => isDeeper(text, depth))).toEqual([true, false]);
      const limits = { maxDepth: 2, maxKeys: 100 };
      expect(findJsonFault(text, limits)).toBeUndefined();
      expect(findJsonFault(`[${number},{"d":1,"d":2}]`, limits)).toEqual({ kind: 'duplicate_key', key: 'd' });
    }
  }
});
