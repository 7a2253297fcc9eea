import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gapsOf, releasedBefore, versionGrid, type GridVersion } from './version-grid.ts';

const has = (name: string, available: boolean | null = true) => ({ name, available, size: 1000 });

test('a hole is where the version released before had an image, not where there never was one', () => {
  const versions: readonly GridVersion[] = [
    { version: '1.10.0', status: 'unreleased', providers: [has('virtualbox'), has('docker', false)] },
    { version: '1.9.0', status: 'revoked', providers: [has('hyperv')] },
    { version: '1.2.0', status: 'active', providers: [has('virtualbox'), has('libvirt', null)] },
    { version: '1.0.0', status: 'active', providers: [has('parallels')] },
  ];
  const { providers, lines } = versionGrid(versions.toReversed());
  expect(providers).toEqual(['virtualbox', 'docker', 'hyperv', 'libvirt', 'parallels']);
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

test('every line is compared with the version that was released right before it', () => {
  const version = fc.record({
    version: fc.constantFrom('0.9', '1.0.0-beta', '1.0', '1.0.0', '1.2', '1.10', '2.0.0.pre1', '2.0.0'),
    status: fc.constantFrom('unreleased', 'active', 'revoked'),
    providers: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        available: fc.constantFrom(true, false, null),
        size: fc.constant(null),
      }),
      { selector: ({ name }) => name },
    ),
  });
  fc.assert(
    fc.property(fc.uniqueArray(version, { selector: (item) => item.version }), (versions) => {
      for (const line of versionGrid(versions).lines) {
        const before = releasedBefore(line.version, versions);
        for (const { provider, state, last } of line.cells) {
          if (state !== 'hole') continue;
          // Of two that are equal to clients, such as 1.0 and 1.0.0, either may be the one.
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
              ?.providers.some(({ name, available }) => name === provider && available !== false),
          ).toBe(true);
        }
      }
    }),
  );
});
