import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, isVersionNumber, newestOf, oldestFirst } from './version-number.ts';

test('accepts semantic versions without a leading v', () => {
  for (const good of ['0.0.0', '1.2.3', '10.20.30-rc.1', '1.0.0-alpha-1.x', '1.2.3+a-1.07', '1.2.3-rc.1+5'])
    expect(isVersionNumber(good), good).toBe(true);
  for (const bad of [
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3+',
    '1.2.3+a..b',
    '1.2.3+a+b',
    '1.2.3+a_b',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3 ',
    '../1.2.3',
  ])
    expect(isVersionNumber(bad), bad).toBe(false);
});

test('sorts versions as semver.org does', () => {
  const ascending =
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.2.0 1.10.0'.split(
      ' ',
    );
  expect(ascending.toReversed().sort(compareVersions)).toEqual(ascending);
  expect(oldestFirst(ascending.toReversed())).toEqual(ascending);
});

test('finds the newest release, if any', () => {
  expect(newestOf([])).toBeUndefined();
  expect(newestOf(['1.0.0', '2.0.0-rc.1', '0.9.0'])).toBe('1.0.0');
  expect(newestOf(['2.0.0-rc.1', '2.0.0-rc.2'])).toBe('2.0.0-rc.2');
  expect(newestOf(['2.0.0-rc.1+a', '1.0.0+z-1', '0.9.0'])).toBe('1.0.0+z-1');
});

const word = fc.oneof(fc.nat().map(String), fc.stringMatching(/^[a-z-]{1,3}$/));
const version = fc
  .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.array(word, { maxLength: 3 }))
  .map(([major, minor, patch, words]) =>
    [`${major}.${minor}.${patch}`, ...(words.length > 0 ? [words.join('.')] : [])].join('-'),
  );

test('defines a total order, antisymmetric and transitive', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
      expect(compareVersions(a, b) === 0).toBe(a === b);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
