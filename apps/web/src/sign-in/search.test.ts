import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSignInSearch } from './search.ts';

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  '/\t/evil.example',
  7,
])('does not return to %j', (target) => {
  expect(parseSignInSearch({ return: target })).toEqual({});
});

test('returns to a path of the console', () => {
  expect(parseSignInSearch({ return: '/production/targets?q=db', reason: 'idle' })).toEqual({
    return: '/production/targets?q=db',
    reason: 'idle',
  });
  expect(parseSignInSearch({ reason: 'other' })).toEqual({});
});

test('never navigates to another origin', () => {
  const home = 'https://console.example';
  fc.assert(
    fc.property(
      fc.string().map((text) => `/${text}`),
      (target) => {
        const { return: path = '/' } = parseSignInSearch({ return: target });
        expect(new URL(path, home).origin).toBe(home);
      },
    ),
  );
});
