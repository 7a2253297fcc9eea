/** What the catalog says of each registration beside its fields: where it comes from, what it shadows, what runs it. */
import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import type { PluginMount, PluginSummary } from '@gatehouse/api-types/console/plugins';
import type { PluginsSearch } from '../plugins-search.ts';

export type PluginSource = NonNullable<PluginsSearch['source']>;

/** What names a plugin: its registrations stand beside each other by their versions. */
type PluginName = Pick<PluginSummary, 'type' | 'name'>;

/** The catalog as it is listed. */
export interface Catalog {
  readonly items: readonly PluginSummary[];
  /** Null where they can't be read. */
  readonly mounts: readonly PluginMount[] | null;
  /** The version that every mount of a plugin runs; null where the server has no pins. */
  readonly pins: readonly Pick<PluginSummary, 'type' | 'name' | 'version'>[] | null;
}

/** A registration with what the others say of it. */
export interface PluginRow extends PluginSummary {
  readonly source: PluginSource;
  /** The mounts that run it; null where they can't be known. */
  readonly uses: readonly PluginMount[] | null;
  readonly isPinned: boolean;
  /** Whether it is run in place of the built-in plugin of its name. */
  readonly shadows: boolean;
}

export function sourceOf({
  builtin,
  declarative,
  oci_image: image,
}: Pick<PluginSummary, 'builtin' | 'declarative' | 'oci_image'>): PluginSource {
  if (builtin) return 'builtin';
  if (declarative) return 'configuration';
  return image === '' ? 'registered' : 'image';
}

const isOf =
  ({ type, name }: PluginName) =>
  (other: PluginName): boolean =>
    other.type === type && other.name === name;

const nameOf = ({ type, plugin }: PluginMount): PluginName => ({ type, name: plugin });

/** All versions of one plugin: the one without a number first, then the newest, and the built-in ones last. */
export function versionsOf(items: readonly PluginSummary[], plugin: PluginName): readonly PluginSummary[] {
  return items.filter(isOf(plugin)).toSorted(byVersion);
}

function byVersion(one: PluginSummary, other: PluginSummary): number {
  if (one.builtin !== other.builtin) return one.builtin ? 1 : -1;
  if (one.version === '' || other.version === '') return one.version.length - other.version.length;
  return compareModuleVersions(other.version, one.version);
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Every registration, by type and name. */
export function rowsOf({ items, mounts, pins }: Catalog): readonly PluginRow[] {
  const runBy = new Map<string, PluginMount[]>();
  for (const mount of mounts ?? []) {
    const id = runOf(mount, { items, pins })?.id;
    if (id !== undefined) runBy.set(id, [...(runBy.get(id) ?? []), mount]);
  }
  return items
    .toSorted(
      (one, other) => order(one.type, other.type) || order(one.name, other.name) || byVersion(one, other),
    )
    .map((item) => ({
      ...item,
      source: sourceOf(item),
      uses: mounts === null || isNamedByConnections(item) ? null : (runBy.get(item.id) ?? []),
      isPinned: pinOf(pins, item) === item.version && item.version !== '',
      shadows:
        !item.builtin &&
        item.version === '' &&
        items.some((other) => isOf(item)(other) && other.builtin && other.shadowed),
    }));
}

/** Whether a version is that of a built-in plugin: `v2.6.2+builtin.bao`. */
const isBuiltin = (version: string): boolean => /\+.*builtin/.test(version);

/** The version that is pinned for a plugin; empty where none is. */
function pinOf(pins: Catalog['pins'], plugin: PluginName): string {
  return pins?.find(isOf(plugin))?.version ?? '';
}

/** Plugins of databases are named by the connections of database engines, which are not told with the mounts. */
export function isNamedByConnections({ type }: Pick<PluginName, 'type'>): boolean {
  return type === 'database';
}

/** What every server mounts by itself, and leaves out of what is told of its mounts. */
export function isAlwaysMounted({ type, name }: PluginName): boolean {
  return type === 'auth' && name === 'token';
}

/** The mounts of a plugin, whatever version they run; undefined where they can't be read. */
export function mountsOf(mounts: Catalog['mounts'], { type, name }: PluginName) {
  return mounts?.filter((mount) => mount.type === type && mount.plugin === name);
}

type Versions = Pick<Catalog, 'items' | 'pins'>;

/** The registration that a mount gets when it starts; undefined where there is none any more. */
export function wantedBy(mount: PluginMount, { items, pins }: Versions): PluginSummary | undefined {
  const versions = versionsOf(items, nameOf(mount));
  const version = pinOf(pins, nameOf(mount)) || mount.configured_version;
  if (version !== '') return versions.find((item) => item.version === version);
  return versions.find((item) => item.version === '') ?? versions.find((item) => item.builtin) ?? versions[0];
}

/** The registration that a mount runs, by what it tells of itself; else the one that it gets when it starts. */
export function runOf(mount: PluginMount, catalog: Versions): PluginSummary | undefined {
  const versions = versionsOf(catalog.items, nameOf(mount));
  const wanted = wantedBy(mount, catalog);
  const { running_version: version, running_sha256: hash } = mount;
  const same = hash === '' ? [] : versions.filter(({ sha256 }) => sha256 === hash);
  return (
    same.find((item) => item.version === version) ??
    same.find((item) => item === wanted) ??
    same[0] ??
    (version === '' ? undefined : versions.find((item) => item.version === version)) ??
    wanted
  );
}

/**
 * The version that brings a mount back to what it is set to now. An empty one would let the server choose, which may take the
 * newest in the place of the built-in plugin.
 */
export function settingOf({ configured_version: set, running_version: runs }: PluginMount): string {
  return set === '' && isBuiltin(runs) ? runs : set;
}

export type MountNews = 'as-registered' | 'other-hash' | 'other-version' | 'not-told';

/** How what runs on a mount compares with what it gets when it starts. */
export function mountNews(mount: PluginMount, catalog: Versions): MountNews {
  const wanted = wantedBy(mount, catalog);
  const { running_version: version, running_sha256: hash } = mount;
  if (wanted === undefined || (version === '' && hash === '')) return 'not-told';
  // A plugin without a version in the catalog may tell one of its own; a built-in one is another.
  const isSameVersion =
    version === wanted.version || version === '' || (wanted.version === '' && !isBuiltin(version));
  if (!isSameVersion) return 'other-version';
  return hash !== '' && wanted.sha256 !== '' && hash !== wanted.sha256 ? 'other-hash' : 'as-registered';
}
