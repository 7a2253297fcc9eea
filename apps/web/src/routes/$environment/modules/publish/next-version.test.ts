import { expect, test } from 'vitest';
import { compareContent } from '../-upgrade/compare-content.ts';
import { testContent, testInput } from '../test-module.ts';
import { silentBreak, suggestedVersions, versionBefore } from './next-version.ts';

const numbers = (...given: Parameters<typeof suggestedVersions>): readonly string[] =>
  suggestedVersions(...given).map(({ version }) => version);

test('suggests the number that fits the verdict first', () => {
  expect(numbers('1.2.3', 'breaking')).toEqual(['2.0.0', '1.2.4', '1.3.0']);
  expect(numbers('1.2.3', 'additive')).toEqual(['1.3.0', '1.2.4', '2.0.0']);
  expect(numbers('1.2.3', 'none')).toEqual(['1.2.4', '1.3.0', '2.0.0']);
  expect(numbers('1.2.3', undefined)).toEqual(['1.2.4', '1.3.0', '2.0.0']);
  expect(numbers('2.0.0-rc.1', 'additive')).toEqual(['2.0.0']);
  expect(numbers(undefined, undefined)).toEqual(['1.0.0', '0.1.0']);
  expect(numbers('2026-11-22', 'none')).toEqual([]);
});

const choice = (version: string, isRevoked = false) => ({
  version,
  published_time: '',
  deprecation: isRevoked
    ? { state: 'revoked' as const, message: 'x', replacement: '', link: '', time: '' }
    : null,
});

test("compares a version with the newest earlier release that isn't revoked", () => {
  const module = {
    latest: '2.1.0',
    versions: [
      choice('3.0.0-rc.1'),
      choice('2.1.0'),
      choice('2.0.0', true),
      choice('1.4.0'),
      choice('1.3.0'),
    ],
  };
  expect(versionBefore(module)).toBe('2.1.0');
  expect(versionBefore(module, '3.0.0')).toBe('2.1.0');
  expect(versionBefore(module, '2.0.1')).toBe('1.4.0');
  expect(versionBefore(module, '1.3.1')).toBe('1.3.0');
  // It is older than all others: the latest is still what users have.
  expect(versionBefore(module, '1.0.0')).toBe('2.1.0');
  expect(versionBefore(module, '1.')).toBe('2.1.0');
  expect(versionBefore({ latest: null, versions: [choice('1.0.0-beta.1')] }, '1.0.0')).toBe('1.0.0-beta.1');
  expect(versionBefore({ latest: null, versions: [choice('1.0.0', true)] })).toBe('1.0.0');
});

test('reports a breaking version that a constraint of its callers allows', () => {
  const output = { name: 'x', description: '', sensitive: false, ephemeral: false, deprecated: '' };
  const from = testContent({ outputs: [output] });
  const broken = compareContent(from, testContent({ inputs: [testInput('size')] }));
  const same = compareContent(from, from);
  if (broken === undefined || same === undefined) throw new Error('not compared');
  expect(silentBreak('1.2.3', '1.2.4', broken, [])).toEqual({
    title: '1.2.4 breaks callers with ~> 1.2',
    detail:
      'Compared with 1.2.3: new required input (size), output removed (x). As 2.0.0, it reaches only callers who opt in.',
    instead: '2.0.0',
  });
  expect(silentBreak('0.2.3', '0.2.4', broken, [])).toMatchObject({
    title: '0.2.4 breaks callers with ~> 0.2.3',
    instead: '0.3.0',
  });
  expect(silentBreak('1.2.3', '1.3.0', broken, [])?.instead).toBe('2.0.0');
  expect(silentBreak('1.2.3', '1.3.0', broken, [choice('3.0.0+b'), choice('2.0.0', true)])?.instead).toBe(
    '4.0.0',
  );
  expect(silentBreak('0.2.3', '0.2.4', broken, [choice('0.3.0')])?.instead).toBe('0.4.0');
  // Callers get these only if they choose them.
  for (const chosen of ['2.0.0', '1.3.0-rc.1', '1.2.', ''])
    expect(silentBreak('1.2.3', chosen, broken, [])).toBeUndefined();
  expect(silentBreak('0.2.3', '0.3.0', broken, [])).toBeUndefined();
  expect(silentBreak('1.2.3', '1.2.4', same, [])).toBeUndefined();
});
