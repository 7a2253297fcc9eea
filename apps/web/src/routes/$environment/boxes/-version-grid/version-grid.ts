/**
 * Versions of a box against its providers and their architectures. A hole is where a version lacks an image that the
 * version released before it has: machines of that provider or architecture would not get the update, and nothing else
 * tells.
 */
import {
  architectureOf,
  compareVersions,
  imageKey,
  providerLabel,
  unknownArchitecture,
} from '@gatehouse/api-types/console/box-values';

/** What the grid needs of a provider; those of the contract have it. */
export interface GridProvider {
  readonly name: string;
  /** `unknown` of one that was made without; null where it is not told. */
  readonly architecture: string | null;
  /** Whether it is the default architecture of its name; null where it is not told. */
  readonly is_default: boolean | null;
  /** Whether there is an image; null where it is not told. */
  readonly available: boolean | null;
  /** Bytes; null where it is not told. */
  readonly size: number | null;
}

export interface GridVersion {
  readonly version: string;
  /** One of `versionStates`, or one of a registry that has others. */
  readonly status: string;
  readonly providers: readonly GridProvider[];
}

/** `ready`: there is an image. `empty`: its image is not there yet. `hole`: see above. `none`: there never was. */
export type CellState = 'ready' | 'empty' | 'hole' | 'none';

/** One architecture of a provider. */
export interface GridColumn {
  /** The same for names that differ in capital letters alone. */
  readonly key: string;
  readonly provider: string;
  readonly architecture: string;
}

export interface GridCell extends GridColumn {
  readonly state: CellState;
  readonly size: number | null;
  /** Of a hole: the version that has it. */
  readonly last: string | null;
  /** Whether it is the default of several architectures that this version has of the provider. */
  readonly isDefault: boolean;
}

export interface GridLine {
  readonly version: string;
  readonly status: string;
  readonly cells: readonly GridCell[];
}

export interface VersionGridData {
  /** Of the newest version first, then those of older ones; architectures of a provider stand together. */
  readonly columns: readonly GridColumn[];
  /** Newest first. */
  readonly lines: readonly GridLine[];
}

/** The released version right before one; undefined before the first. */
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
  const sorted = versions.toSorted((a, b) => compareVersions(b.version, a.version));
  const columns = columnsOf(sorted);
  const released = sorted.filter(({ status }) => status === 'active');
  let next = 0;
  return {
    columns,
    lines: sorted.map((version) => {
      // Both go from the newest on: what is not before this version is not before the next either.
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

/** Each image once, those of one provider together; the architectures of a name in the order in which they were met. */
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
 * Whether clients that had an image get another one in its place: they take one of an unknown architecture where that is
 * the default, and had one where the architecture was not known yet.
 */
function isCovered({ providers }: GridVersion, { provider, architecture }: GridColumn): boolean {
  const own = providers.filter(({ name }) => isSameName(name, provider));
  if (architecture === unknownArchitecture) return own.length > 0;
  return own.some((image) => architectureOf(image) === unknownArchitecture && image.is_default !== false);
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Whether clients could use a provider; one of which it is not told is taken to be. */
export function isUsable({ available }: Pick<GridProvider, 'available'>): boolean {
  return available !== false;
}

/** What a version lacks before it is released. */
export interface VersionGaps {
  /** The released version that it is compared with. */
  readonly last: string | null;
  /** Providers of that version which this one doesn't have, and architectures where it has others: `libvirt (arm64)`. */
  readonly holes: readonly string[];
  /** Providers without an image, in the same way. */
  readonly empty: readonly string[];
}

export function gapsOf(version: GridVersion, versions: readonly GridVersion[]): VersionGaps {
  const others = versions.filter((item) => item.version !== version.version);
  const line = versionGrid([...others, version]).lines.find((item) => item.version === version.version);
  const cells = line?.cells ?? [];
  const labelOf = ({ provider, architecture }: GridCell): string =>
    providerLabel({ name: provider, architecture });
  // A provider that is gone with all its architectures is named once.
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

/** Whether a version lacks an image that the one released before it has. */
export function hasHoles(versions: readonly GridVersion[]): boolean {
  return versionGrid(versions).lines.some(({ cells }) => cells.some(({ state }) => state === 'hole'));
}
