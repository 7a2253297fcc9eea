import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactPolicy, nestingOf, prettyPolicy } from './policy-text.ts';

test('a document is spaced out and made compact without a change', () => {
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
])('%s is shown as it is', (_what, text) => {
  expect(prettyPolicy(text)).toBe(text);
  expect(prettyPolicy(text.replaceAll(':', ' : '))).toBe(text.replaceAll(':', ' : '));
});

test('hostile texts cost no more than their length', () => {
  const size = 131_072;
  const start = performance.now();
  for (const text of ['['.repeat(size), '"'.repeat(size), '\\"'.repeat(size / 2), '{"a":'.repeat(size / 5)]) {
    expect(prettyPolicy(text)).toBe(text);
    expect(compactPolicy(text)).toBe(text);
    expect(nestingOf(text)).toBeGreaterThanOrEqual(0);
  }
  expect(performance.now() - start).toBeLessThan(2000);
});
