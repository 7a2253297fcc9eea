import { entriesOf, objectText } from '@gatehouse/api-types/console/json-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldName, formKey } from './form-keys.ts';
import {
  dataOfValues,
  problemOfValue,
  repeatedNames,
  saysExactly,
  unseen,
  unseenValues,
  valuesOfData,
  withKnownTexts,
} from './secret-values.ts';

const names = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '1', '10', ':', ':1', 'db.password', 'a b'),
);

test('fields survive a form: any name, their order, every digit', () => {
  fc.assert(
    fc.property(fc.uniqueArray(names, { maxLength: 6 }), (keys) => {
      const text = objectText(
        keys.map((key, index) => ({ key, text: `1234567890123456789${String(index)}` })),
      );
      const values = structuredClone(valuesOfData(text));
      expect(dataOfValues(values)).toBe(text);
      expect(saysExactly(text, values)).toBe(true);
      for (const key of keys) expect(fieldName(formKey(key))).toBe(key);
    }),
    { numRuns: 100 },
  );
});

test("formatting and repeated names don't matter, but other fields or another order do", () => {
  const values = valuesOfData('{"a":1,"b":"x"}');
  expect(saysExactly('{ "a": 1,\n "b": "x" }', values)).toBe(true);
  expect(saysExactly('{"a":0,"b":"x","a":1}', values)).toBe(true);
  for (const other of ['{"b":"x","a":1}', '{"a":1}', '{"a":2,"b":"x"}', '{"a":1,"b":"x","c":1}']) {
    expect(saysExactly(other, values)).toBe(false);
  }
});

test("whitespace inside a value doesn't change it", () => {
  const values = valuesOfData('{"a":{"b":[1,2]},"c":"x y"}');
  const spaced = '{\n  "a": {\n    "b": [ 1, 2 ]\n  },\n  "c": "x y"\n}';
  expect(saysExactly(spaced, values)).toBe(true);
  expect(withKnownTexts(valuesOfData(spaced), values.data)).toEqual(values);
  for (const other of ['{"a":{"b":[2,1]},"c":"x y"}', '{"a":{"b":[1,2]},"c":"x  y"}']) {
    expect(saysExactly(other, values)).toBe(false);
    expect(withKnownTexts(valuesOfData(other), values.data)).toEqual(valuesOfData(other));
  }
});

test('finds repeated names; the last value counts', () => {
  expect(repeatedNames('{"a":1,"b":{"a":1},"a":2,"a":3}')).toEqual(['a']);
  expect(entriesOf(dataOfValues(valuesOfData('{"a":1,"b":2,"a":3}')))).toEqual([
    { key: 'a', text: '3' },
    { key: 'b', text: '2' },
  ]);
});

test("a hidden value is listed by name, and isn't JSON", () => {
  expect(unseenValues('{"a":null,"b":{"c":null}}')).toEqual({ data: { a: unseen, b: unseen } });
  expect(problemOfValue(unseen)).toBeDefined();
  expect(problemOfValue('{"a": [1, true]}')).toBeUndefined();
  expect(problemOfValue('plain')).toContain('double quotes');
});
