import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readJson, type JsonBounds } from './read-json.ts';

const slices = { giveWay: () => Promise.resolve() };
const wide: JsonBounds = { maxDepth: 1_000, maxMembers: 1_000_000, strictNames: false };
const read = (text: string, bounds: Partial<JsonBounds> = {}) =>
  readJson(text, { ...wide, ...bounds }, slices);
const deep = process.env['GATEHOUSE_DEEP'] === '1';

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'refused';
  }
}

const readOrRefused = async (text: string): Promise<unknown> => {
  try {
    return { value: await read(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused';
    throw error;
  }
};

test('reads the output of JSON.stringify back', async () => {
  const value = fc.jsonValue({ noUnicodeString: false });
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(undefined, ' '), async (written, space) => {
      const text = JSON.stringify(written, undefined, space);
      expect(JSON.stringify(await read(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: deep ? 20_000 : 1_000 },
  );
});

test('accepts and refuses the texts that JSON.parse does', async () => {
  for (const text of ['', '{', '[1,]', '[,1]', '{"a":1,}', '{"a" 1}', '{1:2}', '[1 2]', '[] []', '[}', '"a'])
    expect(await readOrRefused(text)).toBe('refused');
  const part = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '"b\\n"',
    ' ',
    '1',
    '-',
    'true',
    '\\',
    '{"a":',
    '[1,',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
      const text = parts.join('');
      expect(await readOrRefused(text)).toEqual(parsed(text));
    }),
    { numRuns: deep ? 100_000 : 5_000 },
  );
});

test('reads an escaped name correctly, whatever name precedes it', async () => {
  for (const name of ['\\', '"', '\n', 'x\\', 'x"', '\\a', '__proto__']) {
    const value = await read(`{"a":1,${JSON.stringify(name)}:[true, {"b": null}]}`);
    expect(Object.entries(Object(value))).toEqual([
      ['a', 1],
      [name, [true, { b: null }]],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  }
});

describe('the limits', () => {
  test('count depth from the outermost value', async () => {
    expect(await read('[[],{}]', { maxDepth: 2 })).toEqual([[], {}]);
    await expect(read('[[{}]]', { maxDepth: 2 })).rejects.toThrow(RangeError);
    await expect(read('['.repeat(1_000_000))).rejects.toThrow(RangeError);
  });

  test('count members and elements together', async () => {
    const text = '{"a":[1,[ ]],"b":",,[["}';
    expect(await read(text, { maxMembers: 4 })).toEqual(JSON.parse(text));
    await expect(read(text, { maxMembers: 3 })).rejects.toThrow(RangeError);
  });

  test.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"b":{},"b" : 1}]', '[{"\\u005f_proto__":1}]'])(
    'of names refuse %s, unless they are free',
    async (text) => {
      await expect(read(text, { strictNames: true })).rejects.toThrow(SyntaxError);
      expect(JSON.stringify(await read(text))).toBe(JSON.stringify(JSON.parse(text)));
    },
  );

  test('of names allow the same name in several objects', async () => {
    const text = '{"a":{"k":1,"toString":2},"b":[{"k":2},{"k":"__proto__"}]}';
    expect(await read(text, { strictNames: true })).toEqual(JSON.parse(text));
  });
});

test('gives way to others while it reads', async () => {
  const giveWay = vi.fn(slices.giveWay);
  const text = JSON.stringify(Array.from({ length: 32_000 }, () => 0));
  await readJson(text, wide, { giveWay });
  expect(giveWay.mock.calls.length).toBeGreaterThanOrEqual(1_000);
});
