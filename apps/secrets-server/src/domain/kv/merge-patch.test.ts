import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinedBy, models, nameOf, print } from '../../testing/json-model.ts';
import type { Model } from '../../testing/json-model.ts';
import { mergePatch } from './merge-patch.ts';

const noPause = (): Promise<void> => Promise.resolve();

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

/** The same for texts: only the last member of a repeated name that is patched remains, with its name as written. */
function referenceText(target: Model | undefined, patch: Model): Model {
  if (typeof patch === 'string') return patch;
  let members = target === undefined || typeof target === 'string' ? [] : target;
  for (const [literal, value] of patch) {
    const same = members.filter(([other]) => nameOf(other) === nameOf(literal));
    const last = same.at(-1);
    const kept = members.filter((member) => member === last || !same.includes(member));
    const next = [last?.[0] ?? literal, referenceText(last?.[1], value)] as const;
    if (value === 'null') members = kept.filter((member) => member !== last);
    else if (last === undefined) members = [...members, next];
    else members = kept.map((member) => (member === last ? next : member));
  }
  return members;
}

describe('a merge patch', () => {
  test('follows the algorithm of RFC 7396', async () => {
    await fc.assert(
      fc.asyncProperty(value.map, value.map, fc.constantFrom(undefined, 1), async (target, patch, space) => {
        const merged = await mergePatch(
          JSON.stringify(target, undefined, space),
          JSON.stringify(patch, undefined, space),
          noPause,
        );
        expect(JSON.parse(merged)).toEqual(reference(target, patch));
      }),
      { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 100_000 : 1000 },
    );
  });

  test('keeps texts, orders and repeated names as a plain implementation does', async () => {
    await fc.assert(
      fc.asyncProperty(models, models, fc.constantFrom('', ' \n'), async (target, patch, space) => {
        const merged = await mergePatch(print(target, space), print(patch, space), noPause);
        expect(merged).toBe(print(referenceText(target, patch)));
      }),
      { numRuns: 1000 },
    );
  });

  test('of a large, deep secret copies its text once, with pauses', async () => {
    const texts = JSON.stringify(
      Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n, 'x'.repeat(8192)])),
    );
    const target = `${'{"a":'.repeat(505)}${texts}${',"b":1}'.repeat(505)}`;
    let pauses = 0;
    const giveWay = async (): Promise<void> => void (pauses += 1);
    const joined = await joinedBy(async () => {
      expect(await mergePatch(target, '{"z":1}', giveWay)).toBe(`${target.slice(0, -1)},"z":1}`);
    });
    expect(joined).toBeLessThan(2 * target.length);
    // At least one for each 128 KiB.
    expect(pauses).toBeGreaterThan(target.length / (128 * 1024));
  });

  test('lets others continue before it writes the text, however few values were read in one go', async () => {
    let pauses = 0;
    const giveWay = async (): Promise<void> => void (pauses += 1);
    await mergePatch('{"a":1}', '{"b":1}', giveWay);
    expect(pauses).toBe(1);
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
  ])('keeps the text of %s under %s', async (target, patch, merged) => {
    expect(await mergePatch(target, patch, noPause)).toBe(merged);
  });

  test('is applied down to the maximum depth of a body', async () => {
    const deep = (inner: string): string => `${'{"a":'.repeat(510)}${inner}${'}'.repeat(510)}`;
    expect(await mergePatch(deep('{"x":1}'), deep('{"y":2}'), noPause)).toBe(deep('{"x":1,"y":2}'));
  });
});
