import { compareVersions } from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion, ChecksumType, Provider } from '@gatehouse/api-types/console/boxes';
import { Slices } from '@gatehouse/service-kit/slices';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceBox, SourceImage, SourceVersion } from '#sources/source.ts';
import { compareImage, planBox, type RegistryHere } from './plan-box.ts';
import { pieceKey, type KnownPiece, type PlannedItem } from './planned.ts';

const sum = (digit: string): string => digit.repeat(64);
const image = (more: Partial<SourceImage> = {}): SourceImage => ({
  provider: 'virtualbox',
  architecture: 'amd64',
  isDefault: true,
  hosted: true,
  url: 'https://there.example/a.box',
  checksum: sum('a'),
  checksumType: 'sha256',
  size: 100,
  ...more,
});
const version = (number: string, more: Partial<SourceVersion> = {}): SourceVersion => ({
  version: number,
  description: '',
  status: 'active',
  images: [image()],
  ...more,
});
const box = (versions: readonly SourceVersion[], more: Partial<SourceBox> = {}): SourceBox => ({
  owner: 'team',
  name: 'base',
  shortDescription: '',
  description: '',
  isPrivate: false,
  versions: versions.toSorted((one, other) => compareVersions(other.version, one.version)),
  problems: [],
  ...more,
});
const place = (more: Partial<RegistryHere> = {}): RegistryHere => ({
  name: 'team/base',
  owner: 'there',
  knowsArchitectures: true,
  mayBePrivate: false,
  known: new Map(),
  ...more,
});
const provider = (more: Partial<Provider> = {}): Provider => ({
  name: 'virtualbox',
  revision: '',
  url: '',
  hosted: true,
  available: true,
  size: 100,
  checksum: sum('a'),
  checksum_type: 'sha256',
  architecture: 'amd64',
  is_default: true,
  download_url: '',
  downloads: null,
  created_time: '',
  updated_time: '',
  ...more,
});
const versionHere = (number: string, more: Partial<BoxVersion> = {}): BoxVersion => ({
  version: number,
  revision: '',
  whole_revision: '',
  status: 'active',
  description: '',
  created_time: '',
  updated_time: '',
  providers: [provider()],
  ...more,
});
const boxHere = (versions: BoxVersion[], more: Partial<Box> = {}): Box => ({
  tag: 'team/base',
  username: 'team',
  name: 'base',
  revision: '',
  whole_revision: '',
  short_description: '',
  description: '',
  is_private: false,
  downloads: 0,
  created_time: '',
  updated_time: '',
  current_version: null,
  knows_architectures: true,
  versions,
  may: null,
  server_url: null,
  ...more,
});
const planOf = (source: SourceBox, here: Box | null, at = place()): Promise<PlannedItem> =>
  planBox(source, here, at, new Slices(() => false, { name: 'ada', isKnown: true }));
const plansOf = async (source: SourceBox, here: Box | null, at = place()): Promise<string[]> =>
  (await planOf(source, here, at)).versions.flatMap(({ version: number, pieces }) =>
    pieces.map(({ plan }) => `${number} ${plan}`),
  );

test('puts the newest release first, wherever it is among the versions', async () => {
  const planned = await planOf(
    box([version('1.2.0'), version('2.0.0', { status: 'unreleased' }), version('1.10.0'), version('1.0.0')]),
    null,
    place(),
  );
  expect(planned.versions.map((one) => [one.version, one.priority])).toEqual([
    ['2.0.0', 1],
    ['1.10.0', 0],
    ['1.2.0', 3],
    ['1.0.0', 4],
  ]);
  expect(planned).toMatchObject({ newest: '1.10.0', isHere: false, isUsable: false });
});

describe('what is here', () => {
  test('is left alone whether it is the same or different', async () => {
    const here = boxHere([
      versionHere('1.0.0'),
      versionHere('1.1.0', { providers: [provider({ checksum: sum('b') })] }),
    ]);
    const planned = await planOf(box([version('1.0.0'), version('1.1.0'), version('1.2.0')]), here, place());
    expect(await plansOf(box([version('1.0.0'), version('1.1.0'), version('1.2.0')]), here)).toEqual([
      '1.2.0 missing',
      '1.1.0 clash',
      '1.0.0 here',
    ]);
    expect(planned.clashes).toEqual([
      {
        what: 'piece-differs',
        detail: 'One image differs here: 1.1.0 virtualbox amd64.',
        done: 'The images here are kept.',
      },
    ]);
  });

  test("gets the source's state if its version lacks only images, and otherwise keeps its own", async () => {
    const states = async (
      status: string,
      here: Partial<BoxVersion>,
      registry: Partial<RegistryHere> = {},
    ) => {
      const source = box([version('1.0.0', { status })]);
      const stored = boxHere([versionHere('1.0.0', here)]);
      const [planned] = (await planOf(source, stored, place(registry))).versions;
      return [planned?.completes, planned?.isOpen, planned?.differs];
    };
    expect(await states('active', { status: 'unreleased', providers: [] })).toEqual([true, true, ['state']]);
    expect(
      await states('active', { status: 'unreleased', providers: [provider({ available: false })] }),
    ).toEqual([true, true, ['state']]);
    expect(await states('active', { status: 'unreleased', providers: [provider({ name: 'qemu' })] })).toEqual(
      [false, false, ['state']],
    );
    const single = provider({ architecture: null, available: false });
    expect(
      await states('active', { status: 'unreleased', providers: [single] }, { knowsArchitectures: false }),
    ).toEqual([true, true, ['state']]);
    expect(await states('revoked', { status: 'active' })).toEqual([false, false, ['state']]);
    expect(await states('active', { status: 'active', description: 'ours' })).toEqual([
      false,
      false,
      ['description'],
    ]);
  });
});

test.each<[string, Partial<SourceImage>, Partial<Provider>, string]>([
  ['the same checksum', {}, {}, 'here'],
  ['no image yet', {}, { available: false }, 'missing'],
  ['another checksum for an image that is to come', {}, { available: false, checksum: sum('b') }, 'clash'],
  ['another kind of checksum', { checksum: 'a'.repeat(32), checksumType: 'md5' }, {}, 'clash'],
  ['no checksum there, and the same size', { checksum: '', checksumType: null }, {}, 'here'],
  ['no checksum there, and another size', { checksum: '', checksumType: null }, { size: 99 }, 'clash'],
  ['no checksum there, and no size', { checksum: '', checksumType: null, size: null }, {}, 'clash'],
  ['no checksum here', {}, { checksum: '', checksum_type: null }, 'clash'],
  ['the same address', { hosted: false }, { hosted: false, url: 'https://there.example/a.box' }, 'here'],
  [
    'another address',
    { hosted: false, checksum: '', checksumType: null },
    { hosted: false, url: 'https://b.example' },
    'clash',
  ],
  ['an address for an image that is here', { hosted: false }, {}, 'here'],
])('an image with %s', (_what, there, here, expected) => {
  const one = image(there);
  const { plan } = compareImage(
    { ...one, checksumType: one.checksumType ?? '', known: undefined },
    provider(here),
  );
  expect(plan).toBe(expected);
});

test('recognizes its own copies by the received bytes if the source gives no checksum', async () => {
  const there = image({ checksum: '', checksumType: null, size: null });
  const known: KnownPiece = {
    id: 'mp_1',
    url: there.url,
    checksum: '',
    sha256: sum('c'),
    received: 0,
    validator: '',
    size: 100,
  };
  const at = place({ known: new Map([[pieceKey('1.0.0', 'virtualbox', 'amd64'), known]]) });
  const here = boxHere([versionHere('1.0.0', { providers: [provider({ checksum: sum('c') })] })]);
  const source = box([version('1.0.0', { images: [there] })]);
  expect(await plansOf(source, here, at)).toEqual(['1.0.0 here']);
  const replaced = boxHere([versionHere('1.0.0', { providers: [provider({ checksum: sum('d') })] })]);
  const sized = box([version('1.0.0', { images: [{ ...there, size: 100 }] })]);
  expect(await plansOf(sized, replaced)).toEqual(['1.0.0 here']);
  expect(await plansOf(sized, replaced, at)).toEqual(['1.0.0 clash']);
  expect(await plansOf(source, here)).toEqual(['1.0.0 clash']);
});

test.each<[string, SourceBox, Partial<RegistryHere>, string]>([
  ['a name that is not taken here', box([version('1.0.0')]), { name: 'team/a.json' }, 'name-refused'],
  [
    'an owner without a right',
    box([version('1.0.0')]),
    { owner: { refused: 'You may not.' } },
    'owner-refused',
  ],
  ["a version that clients can't read", box([version('v1.0')]), {}, 'version-refused'],
])('%s: nothing of it is copied', async (_what, source, more, what) => {
  const planned = await planOf(source, null, place(more));
  expect(planned.clashes.map((one) => one.what)).toEqual([what]);
  expect(
    planned.versions.flatMap(({ pieces, isOpen }) => [isOpen, ...pieces.map(({ plan }) => plan)]),
  ).toEqual([false, 'not-copied']);
});

test('makes a box of unknown privacy private if a token was needed', async () => {
  const source = box([version('1.0.0')], { isPrivate: null });
  const planned = await planOf(source, null, place({ mayBePrivate: true }));
  expect(planned.isPrivate).toBe('assumed');
  // An existing box may be deleted before the move starts; images added to a public one are public.
  for (const is_private of [true, false]) {
    const kept = await planOf(source, { ...boxHere([]), is_private }, place({ mayBePrivate: true }));
    expect(kept.isPrivate).toBe('assumed');
    expect(kept.clashes.map(({ what }) => what)).toEqual(is_private ? [] : ['privacy-unknown']);
  }
  expect(planned.clashes.map(({ what }) => what)).toEqual(['privacy-unknown']);
  for (const [one, here, mayBePrivate] of [
    [source, null, false],
    [box([version('1.0.0')]), null, true],
  ] as const) {
    const other = await planOf(one, here, place({ mayBePrivate }));
    expect(other.isPrivate).toBe(one.isPrivate);
    expect(other.clashes).toEqual([]);
  }
});

test("gives a registry without architectures a provider's default one", async () => {
  const arm = image({ architecture: 'arm64', isDefault: false });
  const source = box([version('1.0.0', { images: [image(), arm] })]);
  const [planned] = (await planOf(source, null, place({ knowsArchitectures: false }))).versions;
  expect(planned?.pieces.map(({ architecture, plan }) => `${architecture} ${plan}`)).toEqual([
    'amd64 missing',
    'arm64 not-copied',
  ]);
});

const sums = fc.constantFrom('', sum('a'), sum('b'));
const names = fc.constantFrom('virtualbox', 'libvirt');
const architectures = fc.constantFrom('amd64', 'arm64');
const numbers = fc.constantFrom('1.0.0', '1.1.0', '2.0.0-beta', 'v1');
const states = fc.constantFrom('unreleased', 'active', 'revoked');
const typeOf = (checksum: string): ChecksumType | null => (checksum === '' ? null : 'sha256');
const images = fc.uniqueArray(fc.tuple(names, architectures, sums, fc.boolean()), {
  maxLength: 4,
  selector: ([name, architecture]) => `${name} ${architecture}`,
});
const someSource = fc
  .uniqueArray(fc.tuple(numbers, states, images), { maxLength: 4, selector: ([number]) => number })
  .map((all) =>
    box(
      all.map(([number, status, some]) =>
        version(number, {
          status,
          images: some.map(([name, architecture, checksum, hosted]) =>
            image({ provider: name, architecture, checksum, checksumType: typeOf(checksum), hosted }),
          ),
        }),
      ),
    ),
  );
const someHere = fc
  .uniqueArray(fc.tuple(numbers, states, images), { maxLength: 4, selector: ([number]) => number })
  .map((all) =>
    boxHere(
      all.map(([number, status, some]) =>
        versionHere(number, {
          status,
          providers: some.map(([name, architecture, checksum, available]) =>
            provider({ name, architecture, checksum, checksum_type: typeOf(checksum), available }),
          ),
        }),
      ),
    ),
  );

describe('of any two boxes', () => {
  test('copies only missing images, and counts only equal ones as existing', async () => {
    await fc.assert(
      fc.asyncProperty(someSource, someHere, async (source, here) => {
        for (const planned of (await planOf(source, here)).versions) {
          const stored = here.versions.find((one) => one.version === planned.version);
          for (const piece of planned.pieces) {
            const there = stored?.providers.find(
              (one) => one.name === piece.provider && one.architecture === piece.architecture,
            );
            if (piece.plan === 'missing') expect(there?.available ?? false).toBe(false);
            if (piece.plan === 'here' && piece.checksum !== '') expect(there?.checksum).toBe(piece.checksum);
            if (piece.plan === 'clash') expect(there).toBeDefined();
          }
          // The state changes only for a version that has no more than the source's and isn't released.
          if (planned.isOpen && stored !== undefined) expect(stored.status).toBe('unreleased');
        }
      }),
    );
  });

  test("copies nothing once the source's box is here", async () => {
    await fc.assert(
      fc.asyncProperty(someSource, async (source) => {
        const here = boxHere(
          source.versions.map((one) =>
            versionHere(one.version, {
              status: one.status,
              providers: one.images.map((there) =>
                provider({
                  name: there.provider,
                  architecture: there.architecture,
                  checksum: there.checksum,
                  checksum_type: there.checksumType,
                  hosted: there.hosted,
                  url: there.hosted ? '' : there.url,
                }),
              ),
            }),
          ),
        );
        const planned = await planOf(source, here, place());
        expect(planned.versions.some(({ isOpen }) => isOpen)).toBe(false);
        const plans = planned.versions.flatMap(({ pieces }) => pieces.map(({ plan }) => plan));
        expect(plans.filter((plan) => plan !== 'here' && plan !== 'not-copied')).toEqual([]);
        // Names are unique within the plan, as at the source.
        expect(plans).toHaveLength(source.versions.flatMap((one) => one.images).length);
      }),
    );
  });
});
