import { expect, test } from 'vitest';
import { canonicalVersion, compareVersions, saysBuiltin } from './version.ts';

test.each([
  ['1', 'v1.0.0'],
  ['1.2', 'v1.2.0'],
  ['1.2.3', 'v1.2.3'],
  ['v1.2.3', 'v1.2.3'],
  ['v01.002.3', 'v1.2.3'],
  ['1.2-rc.1', 'v1.2.0-rc.1'],
  ['v1.2.3-rc.1+build.5', 'v1.2.3-rc.1+build.5'],
  ['1.2.3+-', 'v1.2.3+-'],
])('normalizes %s to %s', (given, version) => {
  expect(canonicalVersion(given)).toBe(version);
});

test.each([
  'x',
  '',
  'v',
  '1.',
  '1.2.3.4',
  'V1.2.3',
  '1.2.3-',
  '1.2.3+',
  '1.2.3-a..b',
  ' 1.2.3',
  '1.2.3 beta',
  '1.2.3\n',
  '1234567890123456.0.0',
])('refuses %j as a version', (given) => {
  expect(canonicalVersion(given)).toBeUndefined();
});

test('sorts versions in the order of their release', () => {
  const inOrder = [
    '',
    'v0.9.0',
    'v1.2.0-alpha',
    'v1.2.0-alpha.1',
    'v1.2.0-alpha.beta',
    'v1.2.0-beta.2',
    'v1.2.0-beta.11',
    'v1.2.0',
    'v1.2.0+a',
    'v1.2.0+b',
    'v1.9.0',
    'v1.10.0',
    'v10.0.0',
  ];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(inOrder.map((version) => compareVersions(version, version))).toEqual(inOrder.map(() => 0));
});

test("recognizes a built-in plugin by its version's metadata", () => {
  expect(['v1.0.0+builtin', 'v1.0.0+x.builtin.y'].map(saysBuiltin)).toEqual([true, true]);
  expect(['', 'v1.0.0', 'v1.0.0-builtin', 'v1.0.0+builtins'].map(saysBuiltin)).not.toContain(true);
});
