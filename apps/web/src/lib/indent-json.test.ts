import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { indentJson } from './indent-json.ts';

test('puts each member on its own line', () => {
  expect(indentJson('{"b":1,"a":{"x":[1, 2],"y":{}},"e":[]}')).toBe(
    '{\n  "b": 1,\n  "a": {\n    "x": [\n      1,\n      2\n    ],\n    "y": {}\n  },\n  "e": []\n}',
  );
});

test('changes no value: digits, escapes and duplicate keys stay', () => {
  expect(indentJson(String.raw`{"n":12345678901234567890.10,"t":"{,\"}\u00e9","n":1e5}`)).toBe(
    `{\n  "n": 12345678901234567890.10,\n  "t": "{,\\"}\\u00e9",\n  "n": 1e5\n}`,
  );
});

test('is formatted like JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test('searches no line again at the end of each object', () => {
  const text = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n, empty: {} })));
  const search = vi.spyOn(RegExp.prototype, 'test');
  const indented = indentJson(text);
  const searched = search.mock.calls.reduce((sum, [line]) => sum + line.length, 0);
  search.mockRestore();
  expect(indented).toBe(JSON.stringify(JSON.parse(text), null, 2));
  expect(searched).toBeLessThan(4 * text.length);
});
