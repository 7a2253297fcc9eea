import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  harmOfBoxChanges,
  harmOfKeeping,
  harmOfMove,
  harmOfOtherEngine,
  harmOfNewProvider,
  harmOfPersonChanges,
  harmOfPromotion,
  harmOfProviderChanges,
  harmOfVersionChanges,
  keptVersions,
  lostVersions,
} from './harm-of.ts';
import { isNameTyped, mayAskForPassword, reasonFor, rungOf, type Harm, type Rung } from './harm.ts';

const harms = [
  'stops',
  'final',
  'loses',
  'destroys',
  'reaches',
  'discloses',
  'copies',
  'rights',
  'account',
  'cluster',
  'wipes',
] as const;
const height: Readonly<Record<Rung, number>> = { undo: 0, click: 1, name: 2, password: 3 };

describe('the ladder', () => {
  test.each<[Harm, Rung, Rung]>([
    ['stops', 'undo', 'click'],
    ['final', 'click', 'name'],
    ['loses', 'click', 'password'],
    ['destroys', 'name', 'password'],
    ['reaches', 'name', 'password'],
    ['discloses', 'click', 'password'],
    ['copies', 'click', 'password'],
    ['rights', 'password', 'password'],
    ['account', 'password', 'password'],
    ['cluster', 'name', 'password'],
    ['wipes', 'password', 'password'],
  ])('requires for %s: %s, in production: %s', (harm, elsewhere, production) => {
    expect(rungOf(harm, false)).toBe(elsewhere);
    expect(rungOf(harm, true)).toBe(production);
    expect(mayAskForPassword(harm)).toBe(production === 'password');
  });

  test('never requires less in production or for many records', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...harms),
        fc.boolean(),
        fc.integer({ min: 2, max: 1e5 }),
        (harm, at, count) => {
          expect(height[rungOf(harm, true)]).toBeGreaterThanOrEqual(height[rungOf(harm, false)]);
          expect(height[rungOf(harm, at, count)]).toBeGreaterThanOrEqual(height[rungOf(harm, at)]);
        },
      ),
    );
  });

  test('requires at least a click for many records, and the name to delete them', () => {
    expect(rungOf('stops', false, 2)).toBe('click');
    expect(rungOf('loses', false, 2)).toBe('name');
  });

  test("requires the name for harm that can't be undone, but not for rights", () => {
    expect(isNameTyped('final', 'name')).toBe(true);
    expect(isNameTyped('destroys', 'password')).toBe(true);
    expect(isNameTyped('wipes', 'password')).toBe(true);
    expect(isNameTyped('rights', 'password')).toBe(false);
    expect(isNameTyped('loses', 'click')).toBe(false);
  });

  test('names the environment in the reason if it is in production', () => {
    const live = { name: 'Live', kind: 'production' };
    expect(reasonFor('discloses', live)).toBe(
      'secrets leave the console in clear text, and Live is a production environment',
    );
    expect(reasonFor('discloses', { name: 'Lab', kind: 'development' })).toBe(
      'secrets leave the console in clear text',
    );
    expect(reasonFor('rights', live)).toBe('this changes who can do what');
  });

  test('requires no password for an operation without harm', () => {
    expect(mayAskForPassword(undefined)).toBe(false);
  });
});

const version = (number: number, state: 'readable' | 'scheduled' | 'deleted' | 'destroyed' = 'readable') => ({
  version: number,
  state,
});

describe('fewer versions to keep', () => {
  test("use the secret's own setting before the engine's, with a default of ten", () => {
    expect(keptVersions(3, 20)).toBe(3);
    expect(keptVersions(0, 20)).toBe(20);
    expect(keptVersions(0, 0)).toBe(10);
  });

  test('lose the oldest versions, except those already destroyed', () => {
    const stored = [version(1, 'destroyed'), version(2), version(3, 'deleted'), version(4), version(5)];
    const lost = (before: number, after: number, engine = 0) =>
      lostVersions(stored, { own: before, engine }, { own: after, engine }).map((one) => one.version);
    expect(lost(10, 2)).toEqual([3, 2]);
    expect(lost(10, 5)).toEqual([]);
    expect(lost(2, 10)).toEqual([]);
    expect(lost(3, 3)).toEqual([]);
    expect(lost(3, 2)).toEqual([3]);
    expect(lost(4, 0, 3)).toEqual([2]);
    expect(lost(0, 3, 4)).toEqual([2]);
  });

  test('lose all versions that an unreadable engine might delete', () => {
    const stored = [version(1), version(2), version(3)];
    const lost = (before: number, after: number) =>
      lostVersions(stored, { own: before, engine: null }, { own: after, engine: null });
    expect(lost(3, 0).map((one) => one.version)).toEqual([2, 1]);
    expect(lost(0, 2).map((one) => one.version)).toEqual([1]);
  });

  test.each([
    [0, 9, 0, 'destroys'],
    [0, 10, 0, undefined],
    [20, 0, 0, 'destroys'],
    [5, 0, 0, undefined],
    [5, 0, 4, 'destroys'],
    [5, 4, 4, 'destroys'],
    [0, 3, 3, undefined],
    [0, 20, null, 'destroys'],
    [2, 0, null, 'destroys'],
    [1, 0, null, undefined],
    [2, 3, null, undefined],
  ])(
    'are destructive, whatever is stored: from %s to %s in an engine with %s: %s',
    (from, to, engine, harm) => {
      expect(harmOfKeeping({ own: from, engine }, { own: to, engine })).toBe(harm);
    },
  );
});

test.each([
  [0, 10, 9, 'destroys'],
  [0, 0, 10, undefined],
  [0, 9, 0, undefined],
  [5, 20, 10, 'destroys'],
  [5, 8, 0, 'destroys'],
  [5, 0, 8, undefined],
  [20, 10, 5, undefined],
  [0, null, 1_000, 'destroys'],
  [0, 2, null, 'destroys'],
  [5, 0, null, undefined],
  [5, 6, null, 'destroys'],
])(
  'of a secret that keeps %s versions, an engine that keeps %s may keep more than one that keeps %s: %s',
  (own, from, to, harm) => {
    expect(harmOfOtherEngine(own, from, to)).toBe(harm);
  },
);

describe('moving or copying', () => {
  const rename = { kind: 'secret', mode: 'move', versions: 'all' } as const;
  const harm = (wanted: object, stored: Parameters<typeof harmOfMove>[1], keeping?: Harm) =>
    harmOfMove({ ...rename, ...wanted }, stored, keeping);

  test('stops readers of the old path if all versions are moved', () => {
    expect(harm({}, [version(3), version(2, 'scheduled'), version(1, 'destroyed')])).toBe('stops');
    expect(harm({ versions: 'latest' }, [version(1)])).toBe('stops');
  });

  test('destroys the values that it leaves behind', () => {
    expect(harm({}, [version(2), version(1, 'deleted')])).toBe('destroys');
    expect(harm({ versions: 'latest' }, [version(2), version(1)])).toBe('destroys');
    expect(harm({}, null)).toBe('destroys');
    expect(harm({ kind: 'folder' }, null)).toBe('destroys');
  });

  test('destroys values later in an engine that keeps fewer versions', () => {
    expect(harm({}, [version(1)], 'destroys')).toBe('destroys');
  });

  test('does no harm as a copy', () => {
    expect(harm({ mode: 'copy' }, null, 'destroys')).toBeUndefined();
  });
});

test("counts a user's roles and disabled state as rights, but not their names", () => {
  expect(harmOfPersonChanges({})).toBeUndefined();
  expect(harmOfPersonChanges({ disabled: true })).toBe('rights');
  expect(harmOfPersonChanges({ roles: { access: null } })).toBe('rights');
});

describe('changes of a box', () => {
  const stored = { name: 'base', is_private: true, versions: [{ status: 'unreleased' }] };
  const released = { ...stored, versions: [...stored.versions, { status: 'active' }] };

  test('are rights for visibility, and harmless for descriptions', () => {
    expect(harmOfBoxChanges({}, stored)).toBeUndefined();
    expect(harmOfBoxChanges({ is_private: true }, stored)).toBeUndefined();
    expect(harmOfBoxChanges({ is_private: false }, stored)).toBe('rights');
    expect(harmOfBoxChanges({ is_private: false, name: 'other' }, released)).toBe('rights');
  });

  test('destroy released versions for clients by renaming the box', () => {
    expect(harmOfBoxChanges({ name: 'other' }, stored)).toBeUndefined();
    expect(harmOfBoxChanges({ name: 'base' }, released)).toBeUndefined();
    expect(harmOfBoxChanges({ name: 'other' }, released)).toBe('destroys');
  });
});

test('counts another number of a released version as destructive, but not another description', () => {
  const stored = { version: '1.0.0', status: 'active' };
  expect(harmOfVersionChanges({ version: '1.0.1' }, stored)).toBe('destroys');
  expect(harmOfVersionChanges({ version: '1.0.0' }, stored)).toBeUndefined();
  expect(harmOfVersionChanges({}, stored)).toBeUndefined();
  expect(harmOfVersionChanges({ version: '1.0.1' }, { ...stored, status: 'unreleased' })).toBeUndefined();
});

describe('changes of a provider', () => {
  const stored = {
    name: 'libvirt',
    architecture: 'amd64',
    is_default: true,
    url: '',
    checksum: 'aa',
    checksum_type: 'md5',
    hosted: true,
    available: true,
  };
  const url = 'https://images.example/a.box';
  const unreleased = { status: 'unreleased' };

  test('destroy an uploaded image by setting an address, released or not', () => {
    for (const version of [unreleased, { status: 'revoked' }, { status: 'active' }, null]) {
      expect(harmOfProviderChanges({ url }, stored, version)).toBe('destroys');
    }
    expect(harmOfProviderChanges({ url: '' }, stored, unreleased)).toBeUndefined();
    expect(harmOfProviderChanges({}, stored, unreleased)).toBeUndefined();
    expect(harmOfProviderChanges({ url }, { ...stored, available: false }, unreleased)).toBeUndefined();
    expect(harmOfProviderChanges({ url }, { ...stored, hosted: false }, unreleased)).toBeUndefined();
  });

  test.each([
    { name: 'virtualbox' },
    { architecture: 'arm64' },
    { is_default: false },
    { url },
    { checksum: 'bb', checksum_type: 'md5' },
    { checksum: 'aa', checksum_type: 'sha256' },
  ] as const)('%j destroys what clients of a released version get', (changes) => {
    const linked = { ...stored, hosted: false };
    expect(harmOfProviderChanges(changes, linked, { status: 'active' })).toBe('destroys');
    expect(harmOfProviderChanges(changes, linked, unreleased)).toBeUndefined();
  });

  test('do no harm if nothing changes or the registry reported no previous value', () => {
    const { hosted: _hosted, available: _available, ...same } = stored;
    expect(harmOfProviderChanges(same, stored, { status: 'active' })).toBeUndefined();
    const first = { ...stored, architecture: null, is_default: null };
    const sent = { architecture: 'unknown', is_default: true };
    expect(harmOfProviderChanges(sent, first, { status: 'active' })).toBeUndefined();
  });

  test('may give clients of a released version an image, or another one of the same name', () => {
    const version = { status: 'active', providers: [stored] };
    const url = 'https://images.example/a.box';
    expect(harmOfNewProvider({ name: 'Libvirt', url: '' }, version)).toBe('reaches');
    expect(harmOfNewProvider({ name: 'virtualbox', url }, version)).toBe('reaches');
    expect(harmOfNewProvider({ name: 'virtualbox', url: '' }, version)).toBeUndefined();
    expect(harmOfNewProvider({ name: 'libvirt', url }, { ...version, status: 'unreleased' })).toBeUndefined();
    expect(harmOfNewProvider({ name: 'libvirt', url }, null)).toBeUndefined();
  });
});

test('counts a promotion as destructive only if it is forced', () => {
  expect(harmOfPromotion({})).toBe('cluster');
  expect(harmOfPromotion({ force: false })).toBe('cluster');
  expect(harmOfPromotion({ force: true })).toBe('destroys');
});
