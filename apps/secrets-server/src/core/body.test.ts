import { parseJson } from '@gatehouse/service-kit/parse-json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBody } from './body.ts';
import { maxDepth, mostMembers } from './json/members.ts';
import { parseTree, treeText } from './json/tree.ts';

const name = fc.string();
const object = fc.dictionary(
  name,
  fc.anything({
    key: name,
    maxDepth: 4,
    values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
  }),
  { noNullPrototype: true },
);

test('keeps the text of each member, which parses to its value', async () => {
  await fc.assert(
    fc.asyncProperty(object, fc.constantFrom(undefined, '\t', ' \n'), async (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      const body = parseBody(text);
      expect(Object.keys(body.values).toSorted()).toEqual(Object.keys(value).toSorted());
      for (const [name, member] of Object.entries(value)) {
        const part = body.text(name) ?? '';
        expect(text).toContain(part);
        expect(parseJson(part)).toEqual(parseJson(JSON.stringify(member)));
        expect(part).toBe(part.trim());
      }
      expect(body.text('a member that is not there')).toBeUndefined();
      expect(parseJson(treeText(await parseTree(text, () => Promise.resolve())))).toEqual(parseJson(text));
    }),
  );
});

test('accepts members named like those of every object', () => {
  const body = parseBody('{"__proto__":{"a":1},"constructor":2}');
  expect(Object.keys(body.values)).toEqual(['__proto__', 'constructor']);
  expect(body.text('__proto__')).toBe('{"a":1}');
  expect(parseBody('{}').values['toString']).toBeUndefined();
});

test('reads null as an empty body', () => {
  expect(parseBody(' null').values).toEqual({});
  expect(parseBody('null').text('data')).toBeUndefined();
});

test.each(['', '{', '[]', '1', '"a"', '{"a":1,}', '{"a":01}', '{a:1}', '{"a":1}x', '\ufeff{}', '{"a":NaN}'])(
  'refuses invalid JSON and non-objects: %s',
  (text) => {
    expect(() => parseBody(text)).toThrow('failed to decode JSON input');
  },
);

test('refuses a repeated member in any spelling', () => {
  expect(() => parseBody('{"data":1,"data":2}')).toThrow('repeated member');
  expect(() => parseBody(String.raw`{"data":1,"d\u0061ta":2}`)).toThrow('repeated member');
  expect(parseBody('{"data":{"a":1,"a":2}}').text('data')).toBe('{"a":1,"a":2}');
});

test('refuses too many members at any depth', () => {
  const filled = (item: string, count: number): string =>
    `{"data":[${Array.from({ length: count }, () => item).join(',')}]}`;
  // Counted: the member and the elements.
  expect(parseBody(filled('1', mostMembers - 1)).values['data']).toHaveLength(mostMembers - 1);
  expect(() => parseBody(filled('1', mostMembers))).toThrow('too many members');
  expect(() => parseBody(filled('[[1]]', mostMembers / 2))).toThrow('too many members');
  const keys = Array.from({ length: mostMembers }, (_, n) => `"${n}":1`);
  expect(() => parseBody(`{"data":{${keys.join(',')}}}`)).toThrow('too many members');
  // Brackets and commas in strings are not counted.
  expect(parseBody(JSON.stringify({ data: ',{['.repeat(mostMembers) })).values['data']).toHaveLength(
    3 * mostMembers,
  );
});

test('refuses a body that is too long before parsing it', () => {
  const body = (length: number): string => `{"a":"${'x'.repeat(length - '{"a":""}'.length)}"}`;
  expect(parseBody(body(2 ** 23)).text('a')).toHaveLength(2 ** 23 - '{"a":}'.length);
  expect(() => parseBody(body(2 ** 23 + 1))).toThrow('too long (at most 8388608 characters)');
});

test('refuses a body that is nested too deeply', () => {
  const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect(parseBody(nested(maxDepth)).text('a')).toHaveLength(2 * (maxDepth - 1));
  expect(() => parseBody(nested(maxDepth + 1))).toThrow('too deep');
  expect(() => parseBody(nested(mostMembers))).toThrow('too deep');
});
