import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactPolicy, nestingOf, prettyPolicy } from './policy-text.ts';

test('formats and compacts a document without changing it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      const pretty = prettyPolicy(text);
      expect(pretty).toBe(JSON.stringify(JSON.parse(text), null, 2));
      expect(compactPolicy(pretty)).toBe(text);
    }),
  );
});

test.each([
  ['a member that is listed twice', '{"Effect":"Deny","Effect":"Allow"}'],
  ['a number that would be rounded', '{"n":12345678901234567890}'],
  ['a member that is no key elsewhere', '{"b":1,"1":2}'],
  ['what is no JSON', '{"a": '],
  ['deep nesting', `${'['.repeat(33)}${']'.repeat(33)}`],
])('shows %s unchanged', (_what, text) => {
  expect(prettyPolicy(text)).toBe(text);
  expect(prettyPolicy(text.replaceAll(':', ' : '))).toBe(text.replaceAll(':', ' : '));
});

test('handles hostile texts in linear time', () => {
  const size = 131_072;
  const start = performance.now();
  for (const text of ['['.repeat(size), '"'.repeat(size), '\\"'.repeat(size / 2), '{"a":'.repeat(size / 5)]) {
    expect(prettyPolicy(text)).toBe(text);
    expect(compactPolicy(text)).toBe(text);
    expect(nestingOf(text)).toBeGreaterThanOrEqual(0);
  }
  expect(performance.now() - start).toBeLessThan(2000);
});
