import { imageKey } from '@gatehouse/api-types/console/box-values';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gapsOf, hasHoles, releasedBefore, versionGrid, type GridVersion } from './version-grid.ts';

const has = (name: string, available: boolean | null = true, architecture: string | null = null) => ({
  name,
  architecture,
  is_default: null,
  available,
  size: 1000,
});

test('a hole is an image that the previous release had, not one that never existed', () => {
  const versions: readonly GridVersion[] = [
    { version: '1.10.0', status: 'unreleased', providers: [has('virtualbox'), has('docker', false)] },
    { version: '1.9.0', status: 'revoked', providers: [has('hyperv')] },
    { version: '1.2.0', status: 'active', providers: [has('virtualbox'), has('libvirt', null)] },
    { version: '1.0.0', status: 'active', providers: [has('parallels')] },
  ];
  expect(hasHoles(versions)).toBe(true);
  expect(hasHoles(versions.slice(3))).toBe(false);
  const { columns, lines } = versionGrid(versions.toReversed());
  expect(columns.map(({ provider }) => provider)).toEqual([
    'virtualbox',
    'docker',
    'hyperv',
    'libvirt',
    'parallels',
  ]);
  expect(lines.map(({ version, cells }) => [version, ...cells.map(({ state }) => state)])).toEqual([
    ['1.10.0', 'ready', 'empty', 'none', 'hole', 'none'],
    ['1.9.0', 'hole', 'none', 'ready', 'hole', 'none'],
    ['1.2.0', 'ready', 'none', 'none', 'ready', 'hole'],
    ['1.0.0', 'none', 'none', 'none', 'none', 'ready'],
  ]);
  expect(lines[0]?.cells[3]).toMatchObject({ last: '1.2.0' });
  expect(gapsOf(versions[0] as GridVersion, versions)).toEqual({
    last: '1.2.0',
    holes: ['libvirt'],
    empty: ['docker'],
  });
  expect(gapsOf(versions[3] as GridVersion, versions)).toEqual({ last: null, holes: [], empty: [] });
});

test('every version is compared with the release before it', () => {
  const version = fc.record({
    version: fc.constantFrom('0.9', '1.0.0-beta', '1.0', '1.0.0', '1.2', '1.10', '2.0.0.pre1', '2.0.0'),
    status: fc.constantFrom('unreleased', 'active', 'revoked'),
    providers: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        architecture: fc.constantFrom(null, 'unknown', 'x', 'y'),
        is_default: fc.constant(null),
        available: fc.constantFrom(true, false, null),
        size: fc.constant(null),
      }),
      { selector: imageKey },
    ),
  });
  fc.assert(
    fc.property(fc.uniqueArray(version, { selector: (item) => item.version }), (versions) => {
      for (const line of versionGrid(versions).lines) {
        const before = releasedBefore(line.version, versions);
        for (const { key, state, last } of line.cells) {
          if (state !== 'hole') continue;
          // Versions that clients consider equal, such as 1.0 and 1.0.0, can both be the one.
          expect(before).toBeDefined();
          expect(
            releasedBefore(
              line.version,
              versions.filter((item) => item.version === last),
            ),
          ).toBeDefined();
          expect(
            versions
              .find((item) => item.version === last)
              ?.providers.some((image) => imageKey(image) === key && image.available !== false),
          ).toBe(true);
        }
      }
    }),
  );
});

const image = (name: string, architecture: string, isDefault = false, available = true) => ({
  ...has(name, available, architecture),
  is_default: isDefault,
});
const first: GridVersion = {
  version: '1.0.0',
  status: 'active',
  providers: [image('libvirt', 'amd64', true), image('libvirt', 'arm64'), image('qemu', 'amd64', true)],
};
const statesIn = (version: GridVersion) =>
  versionGrid([first, version])
    .lines.find((line) => line.version === version.version)
    ?.cells.map(({ provider, architecture, state }) => `${provider} ${architecture} ${state}`);

test("a provider's architectures are adjacent, and a lost one is a hole", () => {
  const version: GridVersion = {
    version: '1.1.0',
    status: 'unreleased',
    providers: [image('libvirt', 'amd64', true), image('virtualbox', 'arm64', true, false)],
  };
  expect(statesIn(version)).toEqual([
    'libvirt amd64 ready',
    'libvirt arm64 hole',
    'virtualbox arm64 empty',
    'qemu amd64 hole',
  ]);
  // A provider without any image left is named once, without architectures.
  expect(gapsOf(version, [first, version])).toEqual({
    last: '1.0.0',
    holes: ['libvirt (arm64)', 'qemu'],
    empty: ['virtualbox (arm64)'],
  });
  const none: GridVersion = { ...version, providers: [image('qemu', 'amd64', true)] };
  expect(gapsOf(none, [first]).holes).toEqual(['libvirt']);
  const [line] = versionGrid([first]).lines;
  expect(line?.cells.map(({ isDefault }) => isDefault)).toEqual([true, false, false]);
});

test('a default image of unknown architecture replaces all others, and any image replaces it', () => {
  const unknown = (isDefault: boolean): GridVersion => ({
    version: '1.1.0',
    status: 'active',
    providers: [image('libvirt', 'unknown', isDefault), image('qemu', 'amd64', true)],
  });
  expect(gapsOf(unknown(true), [first]).holes).toEqual([]);
  expect(gapsOf(unknown(false), [first]).holes).toEqual(['libvirt (amd64)', 'libvirt (arm64)']);
  const after: GridVersion = { ...first, version: '1.2.0', status: 'unreleased' };
  expect(gapsOf(after, [unknown(true)]).holes).toEqual([]);
});
