/**
 * Versions of a box against its providers. A hole is where a version lacks a provider that the version released before
 * it has: machines of that provider would not get the update, and nothing else tells.
 */
import { compareVersions } from '@gatehouse/api-types/console/box-values';

/** What the grid needs of a provider; those of the contract have it. */
export interface GridProvider {
  readonly name: string;
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

export interface GridCell {
  readonly provider: string;
  readonly state: CellState;
  readonly size: number | null;
  /** Of a hole: the version that has the provider. */
  readonly last: string | null;
}

export interface GridLine {
  readonly version: string;
  readonly status: string;
  readonly cells: readonly GridCell[];
}

export interface VersionGridData {
  /** Of the newest version first, then those of older ones. */
  readonly providers: readonly string[];
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
  const providers = [...new Set(sorted.flatMap((version) => version.providers.map(({ name }) => name)))];
  const released = sorted.filter(({ status }) => status === 'active');
  let next = 0;
  return {
    providers,
    lines: sorted.map((version) => {
      // Both go from the newest on: what is not before this version is not before the next either.
      while (next < released.length && compareVersions(released[next]?.version ?? '', version.version) >= 0)
        next += 1;
      const before = released[next];
      return {
        version: version.version,
        status: version.status,
        cells: providers.map((provider) => cellOf(version, provider, before)),
      };
    }),
  };
}

function cellOf(version: GridVersion, provider: string, before: GridVersion | undefined): GridCell {
  const own = version.providers.filter(({ name }) => name === provider);
  const ready = own.find(isUsable);
  const hadIt = before?.providers.some((item) => item.name === provider && isUsable(item)) === true;
  const state = ready !== undefined ? 'ready' : own.length > 0 ? 'empty' : hadIt ? 'hole' : 'none';
  return {
    provider,
    state,
    size: ready?.size ?? null,
    last: state === 'hole' ? (before?.version ?? null) : null,
  };
}

/** Whether clients could use a provider; one of which it is not told is taken to be. */
export function isUsable({ available }: Pick<GridProvider, 'available'>): boolean {
  return available !== false;
}

/** What a version lacks before it is released. */
export interface VersionGaps {
  /** The released version that it is compared with. */
  readonly last: string | null;
  /** Providers of that version which this one doesn't have. */
  readonly holes: readonly string[];
  /** Providers without an image. */
  readonly empty: readonly string[];
}

export function gapsOf(version: GridVersion, versions: readonly GridVersion[]): VersionGaps {
  const others = versions.filter((item) => item.version !== version.version);
  const line = versionGrid([...others, version]).lines.find((item) => item.version === version.version);
  const named = (state: CellState): readonly string[] =>
    (line?.cells ?? []).filter((cell) => cell.state === state).map(({ provider }) => provider);
  return {
    last: releasedBefore(version.version, others)?.version ?? null,
    holes: named('hole'),
    empty: named('empty'),
  };
}
