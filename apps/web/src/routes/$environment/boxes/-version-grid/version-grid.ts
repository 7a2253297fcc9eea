/**
 * A table of a box's versions by provider and architecture. A hole is an image that the previous release has and this
 * version lacks: machines with that provider or architecture wouldn't get the update, and nothing else warns about it.
 */
import {
  architectureOf,
  compareVersions,
  newestFirst,
  imageKey,
  providerLabel,
  unknownArchitecture,
} from '@gatehouse/api-types/console/box-values';

/** The provider fields that the grid needs, as in the contract. */
export interface GridProvider {
  readonly name: string;
  /** `unknown` if created without one; null if not reported. */
  readonly architecture: string | null;
  /** Whether it is the default architecture of its name; null if not reported. */
  readonly is_default: boolean | null;
  /** Whether an image exists; null if not reported. */
  readonly available: boolean | null;
  /** Bytes; null if not reported. */
  readonly size: number | null;
}

export interface GridVersion {
  readonly version: string;
  /** One of `versionStates`, or another registry's state. */
  readonly status: string;
  readonly providers: readonly GridProvider[];
}

/** `ready`: has an image. `empty`: its image is missing. `hole`: see above. `none`: never had one. */
export type CellState = 'ready' | 'empty' | 'hole' | 'none';

/** One architecture of a provider. */
export interface GridColumn {
  /** Equal for names that differ only in case. */
  readonly key: string;
  readonly provider: string;
  readonly architecture: string;
}

export interface GridCell extends GridColumn {
  readonly state: CellState;
  readonly size: number | null;
  /** For a hole: the version that has it. */
  readonly last: string | null;
  /** Whether it is the default among several architectures that this version has of the provider. */
  readonly isDefault: boolean;
}

export interface GridLine {
  readonly version: string;
  readonly status: string;
  readonly cells: readonly GridCell[];
}

export interface VersionGridData {
  /** The newest version's columns first, then those of older ones, grouped by provider. */
  readonly columns: readonly GridColumn[];
  /** Newest first. */
  readonly lines: readonly GridLine[];
}

/** The release before a version; undefined if none. */
export function releasedBefore<Version extends GridVersion>(
  version: string,
  versions: readonly Version[],
): Version | undefined {
  return versions
    .filter((item) => item.status === 'active' && compareVersions(item.version, version) < 0)
    .toSorted((a, b) => compareVersions(b.version, a.version))
    .at(0);
}

/** The grid of all versions. @param versions in any order */
export function versionGrid(versions: readonly GridVersion[]): VersionGridData {
  const sorted = newestFirst(versions);
  const columns = columnsOf(sorted);
  const released = sorted.filter(({ status }) => status === 'active');
  let next = 0;
  return {
    columns,
    lines: sorted.map((version) => {
      // Both lists are sorted newest first, so a release that isn't before this version isn't before the next either.
      while (next < released.length && compareVersions(released[next]?.version ?? '', version.version) >= 0)
        next += 1;
      const before = released[next];
      return {
        version: version.version,
        status: version.status,
        cells: columns.map((column) => cellOf(version, column, before)),
      };
    }),
  };
}

/** One column per image, grouped by provider, with architectures in order of first use. */
function columnsOf(versions: readonly GridVersion[]): readonly GridColumn[] {
  const byProvider = new Map<string, Map<string, GridColumn>>();
  for (const image of versions.flatMap(({ providers }) => providers)) {
    const key = imageKey(image);
    const name = image.name.toLowerCase();
    const known = byProvider.get(name) ?? new Map<string, GridColumn>();
    byProvider.set(name, known);
    if (!known.has(key)) known.set(key, { key, provider: image.name, architecture: architectureOf(image) });
  }
  return [...byProvider.values()].flatMap((columns) => [...columns.values()]);
}

function cellOf(version: GridVersion, column: GridColumn, before: GridVersion | undefined): GridCell {
  const own = version.providers.find((image) => imageKey(image) === column.key);
  const isReady = own !== undefined && isUsable(own);
  const hadIt = before?.providers.some((image) => imageKey(image) === column.key && isUsable(image)) === true;
  const isHole = own === undefined && hadIt && !isCovered(version, column);
  const siblings = version.providers.filter(({ name }) => isSameName(name, column.provider));
  return {
    ...column,
    state: isReady ? 'ready' : own !== undefined ? 'empty' : isHole ? 'hole' : 'none',
    size: isReady ? own.size : null,
    last: isHole ? (before?.version ?? null) : null,
    isDefault: own?.is_default === true && siblings.length > 1,
  };
}

/**
 * Whether clients of a missing image get another one instead: a default image of unknown architecture replaces it, and
 * any image replaces one of unknown architecture.
 */
function isCovered({ providers }: GridVersion, { provider, architecture }: GridColumn): boolean {
  const own = providers.filter(({ name }) => isSameName(name, provider));
  if (architecture === unknownArchitecture) return own.length > 0;
  return own.some((image) => architectureOf(image) === unknownArchitecture && image.is_default !== false);
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Whether clients can use a provider; assumed if not reported. */
export function isUsable({ available }: Pick<GridProvider, 'available'>): boolean {
  return available !== false;
}

/** The images that a version lacks before its release. */
export interface VersionGaps {
  /** The release it is compared with. */
  readonly last: string | null;
  /** Providers missing since that release, or architectures if the provider still has others: `libvirt (arm64)`. */
  readonly holes: readonly string[];
  /** Providers without an image, in the same form. */
  readonly empty: readonly string[];
}

export function gapsOf(version: GridVersion, versions: readonly GridVersion[]): VersionGaps {
  const others = versions.filter((item) => item.version !== version.version);
  const line = versionGrid([...others, version]).lines.find((item) => item.version === version.version);
  const cells = line?.cells ?? [];
  const labelOf = ({ provider, architecture }: GridCell): string =>
    providerLabel({ name: provider, architecture });
  // A provider with no architectures left is named once.
  const holes = cells
    .filter(({ state }) => state === 'hole')
    .map((cell) =>
      version.providers.some(({ name }) => isSameName(name, cell.provider)) ? labelOf(cell) : cell.provider,
    );
  return {
    last: releasedBefore(version.version, others)?.version ?? null,
    holes: [...new Set(holes)],
    empty: cells.filter(({ state }) => state === 'empty').map(labelOf),
  };
}

/** Whether any version lacks an image that the release before it has. */
export function hasHoles(versions: readonly GridVersion[]): boolean {
  return versionGrid(versions).lines.some(({ cells }) => cells.some(({ state }) => state === 'hole'));
}
