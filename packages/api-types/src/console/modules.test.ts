import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { compareModuleVersions, isBreaking, isPrerelease } from './module-values.ts';
import { archiveLimitBytes, deprecationFields, publishFields, publishPlace } from './modules.ts';

test('orders versions as semantic versions', () => {
  const order = [
    '0.0.1',
    '1.0.0-0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.9.0',
    '1.10.0',
    '10.0.0',
    '18446744073709551616.0.0',
  ];
  expect(order.toReversed().sort(compareModuleVersions)).toEqual(order);
  for (const [one, other] of [
    ['v1.0.0', '1.0.0'],
    ['1.0.0+x', '1.0.0+y'],
    ['1.0', '1.0.0'],
  ] as const)
    expect(compareModuleVersions(one, other)).toBe(0);
  expect(order.filter(isPrerelease)).toHaveLength(7);
  expect(isPrerelease('1.0.0+x-y')).toBe(false);
});

test('a higher major version may break, and before 1.0.0 a higher minor version', () => {
  const breaks = ([from, to]: readonly [string, string]): boolean => isBreaking(from, to);
  const [breaking, compatible] = [
    [
      ['1.9.9', '2.0.0'],
      ['v1.9', '3.1.0'],
      ['0.1.4', '0.2.0'],
      ['0.9.0', '1.0.0'],
    ],
    [
      ['1.0.0', '1.9.0'],
      ['2.0.0', '1.0.0'],
      ['0.2.0', '0.1.0'],
      ['0.2.0', '0.2.7'],
      ['2.0.0', '2.0.0'],
    ],
  ] as const;
  expect([breaking.filter(breaks), compatible.filter(breaks)]).toEqual([breaking, []]);
});

describe('the name and version of a new release', () => {
  const place = { namespace: 'acme', name: 'net', provider: 'aws', version: '1.0.0' };
  const refused = (change: object) =>
    z.safeParse(publishPlace, { ...place, ...change }).error?.issues.map(({ path }) => path[0]) ?? [];

  test.each([
    {},
    { namespace: 'A-b_9' },
    { name: 'x' },
    { name: 'x'.repeat(64) },
    { provider: '9' },
    { version: '1.2.3-beta.1' },
  ])('accept %j', (change) => {
    expect(refused(change)).toEqual([]);
  });

  test.each([
    ['namespace', ['', 'search', 'Search', '-a', 'a-', 'a b', 'a.b', 'ä', 'x'.repeat(65), '..']],
    ['name', ['', '_a', 'a/b', 'x'.repeat(65)]],
    ['provider', ['', 'AWS', 'a-b', 'x'.repeat(65)]],
    [
      'version',
      ['', '1', '1.0', 'v1.0.0', '1.0.0+', '01.0.0', '1.0.0-01', '1.0.0-', `1.0.0-${'a'.repeat(100)}`],
    ],
  ])('refuse a bad %s: %j', (field, values) => {
    for (const value of values) expect(refused({ [field]: value }), value).toContain(field);
  });
});

test('limits published fields and deprecation notes', () => {
  const fields = { archive: 'eA==', description: '', source: '' };
  const refused = (schema: z.ZodMiniType, value: object) =>
    z.safeParse(schema, value).error?.issues.map(({ path }) => path.join('.')) ?? [];
  expect(refused(publishFields, fields)).toEqual([]);
  expect(refused(publishFields, { ...fields, source: 'https://git.example/a?b#c' })).toEqual([]);
  const most = 'x'.repeat(4 * Math.ceil(archiveLimitBytes / 3));
  expect(refused(publishFields, { ...fields, archive: most })).toEqual([]);
  for (const [field, value] of [
    ['archive', ''],
    ['archive', `${most}x`],
    ['source', 'ftp://git.example'],
    ['source', 'https://a@git.example'],
    ['description', 'x'.repeat(501)],
  ] as const)
    expect(refused(publishFields, { ...fields, [field]: value })).toEqual([field]);
  const said = { state: 'revoked', message: ' why ', replacement: '' };
  expect(z.parse(deprecationFields, said)).toEqual({ ...said, message: 'why' });
  expect(refused(deprecationFields, { ...said, message: ' ' })).toEqual(['message']);
});
