/** Derives from the catalog where each registration comes from, what it shadows, and which mounts run it. */
import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import type { PluginMount, PluginSummary } from '@gatehouse/api-types/console/plugins';
import type { MountNews, PluginSource } from '#components/plugins/plugin-words.ts';

/** Identifies a plugin; its registrations differ by version. */
type PluginName = Pick<PluginSummary, 'type' | 'name'>;

/** The catalog as listed. */
export interface Catalog {
  readonly items: readonly PluginSummary[];
  /** Null if they can't be read. */
  readonly mounts: readonly PluginMount[] | null;
  /** The pinned version of each plugin; null if the server doesn't support pins. */
  readonly pins: readonly Pick<PluginSummary, 'type' | 'name' | 'version'>[] | null;
}

/** A registration with its source, mounts and pin. */
export interface PluginRow extends PluginSummary {
  readonly source: PluginSource;
  /** The mounts that run it; null if unknown. */
  readonly uses: readonly PluginMount[] | null;
  readonly isPinned: boolean;
  /** Whether it replaces the built-in plugin of its name. */
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

/** All versions of a plugin: without a version first, then newest first, built-in last. */
export function versionsOf(items: readonly PluginSummary[], plugin: PluginName): readonly PluginSummary[] {
  return items.filter(isOf(plugin)).toSorted(byVersion);
}

function byVersion(one: PluginSummary, other: PluginSummary): number {
  if (one.builtin !== other.builtin) return one.builtin ? 1 : -1;
  if (one.version === '' || other.version === '') return one.version.length - other.version.length;
  return compareModuleVersions(other.version, one.version);
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Every registration, sorted by type and name. */
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

/** Whether a version is a built-in plugin's: `v2.6.2+builtin.bao`. */
const isBuiltin = (version: string): boolean => /\+.*builtin/.test(version);

/** The pinned version of a plugin; empty if none. */
function pinOf(pins: Catalog['pins'], plugin: PluginName): string {
  return pins?.find(isOf(plugin))?.version ?? '';
}

/** Connections of database engines name database plugins, and the list of mounts doesn't include them. */
export function isNamedByConnections({ type }: Pick<PluginName, 'type'>): boolean {
  return type === 'database';
}

/** The token auth method: every server mounts it, and leaves it out of the list of mounts. */
export function isAlwaysMounted({ type, name }: PluginName): boolean {
  return type === 'auth' && name === 'token';
}

/** A plugin's mounts, whatever version they run; undefined if they can't be read. */
export function mountsOf(mounts: Catalog['mounts'], { type, name }: PluginName) {
  return mounts?.filter((mount) => mount.type === type && mount.plugin === name);
}

type Versions = Pick<Catalog, 'items' | 'pins'>;

/** The registration that a mount starts with; undefined if it no longer exists. */
export function wantedBy(mount: PluginMount, { items, pins }: Versions): PluginSummary | undefined {
  const versions = versionsOf(items, nameOf(mount));
  const version = pinOf(pins, nameOf(mount)) || mount.configured_version;
  if (version !== '') return versions.find((item) => item.version === version);
  return versions.find((item) => item.version === '') ?? versions.find((item) => item.builtin) ?? versions[0];
}

/** The registration that a mount runs, by its reported hash or version; else the one it starts with. */
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
 * The version that restores a mount's current setting. An empty one lets the server choose, and it might choose the
 * newest instead of the built-in plugin.
 */
export function settingOf({ configured_version: set, running_version: runs }: PluginMount): string {
  return set === '' && isBuiltin(runs) ? runs : set;
}

/** Compares what a mount runs with what it would start with. */
export function mountNews(mount: PluginMount, catalog: Versions): MountNews {
  const wanted = wantedBy(mount, catalog);
  const { running_version: version, running_sha256: hash } = mount;
  if (wanted === undefined || (version === '' && hash === '')) return 'not-told';
  // A registration without a version can report its own version; a built-in version is another plugin.
  const isSameVersion =
    version === wanted.version || version === '' || (wanted.version === '' && !isBuiltin(version));
  if (!isSameVersion) return 'other-version';
  return hash !== '' && wanted.sha256 !== '' && hash !== wanted.sha256 ? 'other-hash' : 'as-registered';
}
