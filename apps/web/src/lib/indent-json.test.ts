import fc from 'fast-check';
import { expect, test } from 'vitest';
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
