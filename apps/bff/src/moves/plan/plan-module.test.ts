import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import { Slices } from '@gatehouse/service-kit/slices';
import { expect, test, vi } from 'vitest';
import type { ArchivePlace, SourceModule } from '#sources/source.ts';
import { planModule, type ModuleRules, type VersionHere } from './plan-module.ts';
import { pieceKey } from './planned.ts';

const sum = (digit: string): string => digit.repeat(64);
const source = (...versions: readonly string[]): SourceModule => ({
  namespace: 'acme',
  name: 'net',
  provider: 'aws',
  description: 'Networks',
  sourceUrl: '',
  problems: [],
  versions: versions
    .toSorted((one, other) => compareModuleVersions(other, one))
    .map((version) => ({ version, deprecation: null })),
});
const archive = (checksum = ''): ArchivePlace => ({
  kind: 'archive',
  url: 'https://there.example/a.tgz',
  checksum,
});
const rules = (more: Partial<ModuleRules> = {}): ModuleRules => ({
  name: 'acme/net/aws',
  owner: 'there',
  known: new Map(),
  archives: new Map(),
  ...more,
});
const here = (version: string, sha256 = ''): VersionHere => ({
  version,
  deprecation: null,
  archive: sha256 === '' ? null : { size: 10, sha256 },
});

const planOf = (...[from, stored, at]: [SourceModule, VersionHere[] | null, ModuleRules]) =>
  planModule(from, stored, at, new Slices(() => false, { name: 'ada', isKnown: true }));

test('copies missing versions, the latest release first', async () => {
  const archives = new Map(['1.0.0', '1.1.0', '2.0.0-rc1'].map((version) => [version, archive()]));
  const planned = await planOf(source('1.0.0', '2.0.0-rc1', '1.1.0'), [here('1.0.0')], rules({ archives }));
  expect(
    planned.versions.map(({ version, priority, pieces }) => [version, priority, pieces[0]?.plan]),
  ).toEqual([
    ['2.0.0-rc1', 1, 'missing'],
    ['1.1.0', 0, 'missing'],
    ['1.0.0', 3, 'here'],
  ]);
});

test('plans many versions in slices', async () => {
  const versions = Array.from({ length: 2_000 }, (_, at) => `1.${at}.0`);
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  const asked = vi.spyOn(slices, 'giveWay');
  await planModule(source(...versions), null, rules(), slices);
  expect(asked.mock.calls.length).toBeGreaterThanOrEqual(versions.length);
});

test("compares archives by the source's checksum, or that of the received bytes", async () => {
  const plan = async (known: string, stored: string) => {
    const planned = await planOf(
      source('1.0.0'),
      [here('1.0.0', stored)],
      rules({
        known: new Map([
          [
            pieceKey('1.0.0', '', ''),
            { id: 'mp_1', url: '', checksum: '', sha256: known, received: 0, validator: '', size: null },
          ],
        ]),
      }),
    );
    return planned.versions[0]?.pieces[0]?.plan;
  };
  expect(await plan(sum('a'), sum('a'))).toBe('here');
  expect(await plan(sum('a'), sum('b'))).toBe('clash');
  expect(await plan('', sum('b'))).toBe('here');
});

test('copies one of the versions that differ only in build metadata, and none if one exists', async () => {
  const versions = ['1.0.0', '1.0.0+a', '1.1.0+b', '1.2.0+c', '1.2.0'];
  const archives = new Map(versions.map((version) => [version, archive()]));
  const planned = await planOf(source(...versions), [here('1.1.0'), here('1.0.0+a')], rules({ archives }));
  expect(
    planned.versions.map(({ version, pieces }) => [version, pieces[0]?.plan, pieces[0]?.detail]),
  ).toEqual([
    ['1.2.0+c', 'missing', ''],
    ['1.2.0', 'not-copied', "Clients can't tell this version from 1.2.0+c: only the build metadata differs."],
    ['1.1.0+b', 'not-copied', "Clients can't tell this version from 1.1.0: only the build metadata differs."],
    ['1.0.0', 'not-copied', "Clients can't tell this version from 1.0.0+a: only the build metadata differs."],
    ['1.0.0+a', 'here', 'The source reports no checksum. The version numbers match.'],
  ]);
});

test("says why an item can't be fetched, read or published", async () => {
  const git: ArchivePlace = { kind: 'not-copied', reason: 'It is in Git.' };
  const planned = await planOf(
    source('1.0.0', 'one'),
    null,
    rules({
      archives: new Map([
        ['1.0.0', git],
        ['one', archive()],
      ]),
    }),
  );
  expect(
    planned.versions.map(({ version, pieces }) => [version, pieces[0]?.plan, pieces[0]?.detail]),
  ).toEqual(
    expect.arrayContaining([
      ['one', 'not-copied', "Clients can't read this version number."],
      ['1.0.0', 'not-copied', 'It is in Git.'],
    ]),
  );
  expect(planned.clashes).toEqual([
    {
      what: 'unreadable',
      detail: "one: Clients can't read this version number. 1.0.0: It is in Git.",
      done: 'They are not copied.',
    },
  ]);
  const refused = await planOf(source('1.0.0'), null, rules({ owner: { refused: 'You may not.' } }));
  expect(refused.clashes.map(({ what }) => what)).toEqual(['owner-refused']);
  expect(refused.versions[0]?.pieces[0]).toMatchObject({ plan: 'not-copied', detail: 'You may not.' });
  const named = await planOf(source('1.0.0'), null, rules({ name: 'acme/net/AWS' }));
  expect(named.clashes.map(({ what }) => what)).toEqual(['name-refused']);
});
