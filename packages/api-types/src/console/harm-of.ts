/** The harm of calls where it depends on what they are about: for the BFF, and for the page where it asks before it sends. */
import { architectureOf, hasImage } from './box-values.ts';
import type { Harm } from './harm.ts';

/** Versions that a server keeps of a secret where neither it nor its engine says how many. */
export const defaultKeptVersions = 10;

interface Version {
  readonly version: number;
  readonly state: 'readable' | 'scheduled' | 'deleted' | 'destroyed';
}

/** How many versions are kept, from the settings of the secret (0 leaves it to the engine) and of its engine. */
export function keptVersions(own: number, engine: number): number {
  if (own > 0) return own;
  return engine > 0 ? engine : defaultKeptVersions;
}

/**
 * The versions whose values are lost when a secret's own number of kept versions changes, newest first.
 * @param engine the number of its engine; null where it can't be known, and the worst is assumed
 */
export function lostVersions<One extends Version>(
  versions: readonly One[],
  before: number,
  after: number,
  engine: number | null,
): readonly One[] {
  if (before === after) return [];
  const keptBefore = before === 0 && engine === null ? Infinity : keptVersions(before, engine ?? 0);
  const keptAfter = after === 0 && engine === null ? 1 : keptVersions(after, engine ?? 0);
  return versions
    .toSorted((a, b) => b.version - a.version)
    .slice(keptAfter, Math.max(keptBefore, keptAfter))
    .filter(({ state }) => state !== 'destroyed');
}

/** What fewer versions in the settings of an engine do: its secrets are many, so what each has is not looked at. */
export function harmOfEngine(before: number, after: number): Harm | undefined {
  return keptVersions(0, after) < keptVersions(0, before) ? 'destroys' : undefined;
}

/** Moving takes the readable versions along, or the newest alone; what stays behind is deleted with its place. */
export function harmOfMove(
  { kind, mode, versions }: { readonly kind: string; readonly mode: string; readonly versions: string },
  /** Of a secret; null where they can't be known. */
  stored: readonly Version[] | null,
): Harm | undefined {
  if (mode === 'copy') return undefined;
  if (kind === 'folder' || stored === null) return 'destroys';
  const kept = stored.filter(({ state }) => state !== 'destroyed');
  const taken =
    versions === 'latest'
      ? 1
      : kept.filter(({ state }) => state === 'readable' || state === 'scheduled').length;
  return kept.length > taken ? 'destroys' : 'stops';
}

/** A person's names are no rights; their roles are, and whether they can sign in. */
export function harmOfPersonChanges(changes: {
  readonly disabled?: unknown;
  readonly roles?: unknown;
}): Harm | undefined {
  return changes.disabled === undefined && changes.roles === undefined ? undefined : 'rights';
}

const released = 'active';

/** Clients find a released version under the names of its box and its own: under another one they find something else. */
interface Released {
  readonly status: string;
}

/** Who sees a box is decided with it. Its texts are no rights, but its name is what clients of its releases ask for. */
export function harmOfBoxChanges(
  { name, is_private }: { readonly name?: string | undefined; readonly is_private?: boolean | undefined },
  stored: { readonly name: string; readonly is_private: boolean; readonly versions: readonly Released[] },
): Harm | undefined {
  if (is_private !== undefined && is_private !== stored.is_private) return 'rights';
  const isRenamed = name !== undefined && name !== stored.name;
  return isRenamed && stored.versions.some(({ status }) => status === released) ? 'destroys' : undefined;
}

/** A release is its number; what it says of itself is no part of what clients get. */
export function harmOfVersionChanges(
  { version }: { readonly version?: string | undefined },
  stored: Released & { readonly version: string },
): Harm | undefined {
  const isRenumbered = version !== undefined && version !== stored.version;
  return isRenumbered && stored.status === released ? 'destroys' : undefined;
}

/** A root configuration replaces the one before: a secret key in it can be read by nobody. */
export function harmOfCloudRoot(stored: { readonly access_key: string }): Harm | undefined {
  return stored.access_key === '' ? undefined : 'destroys';
}

interface ProviderFields {
  readonly name: string;
  readonly architecture: string | null;
  readonly is_default: boolean | null;
  readonly url: string;
  readonly checksum: string;
  readonly checksum_type: string | null;
}

/**
 * A provider that is given an address no longer keeps the image that was uploaded. Of a released version every field decides
 * what clients get: they find an image by its name and architecture, and accept it by its checksum.
 */
export function harmOfProviderChanges(
  changes: { readonly [Field in keyof ProviderFields]?: ProviderFields[Field] | undefined },
  stored: ProviderFields & { readonly hosted: boolean; readonly available: boolean | null },
  version: Released | null,
): Harm | undefined {
  if (hasImage(stored) && changes.url !== undefined && changes.url !== '') return 'destroys';
  const before = new Map<string, unknown>(
    Object.entries({
      ...stored,
      architecture: architectureOf(stored),
      is_default: stored.is_default ?? true,
    }),
  );
  const isChanged = Object.entries(changes).some(
    ([name, value]) => value !== undefined && value !== before.get(name),
  );
  return isChanged && version?.status === released ? 'destroys' : undefined;
}

/** Another architecture of a provider that clients have in a released version may be the one that they get from then on. */
export function harmOfNewProvider(
  { name }: { readonly name: string },
  version: (Released & { readonly providers: readonly { readonly name: string }[] }) | null,
): Harm | undefined {
  const isThere = version?.providers.some((one) => one.name.toLowerCase() === name.toLowerCase());
  return isThere === true && version?.status === released ? 'reaches' : undefined;
}

/** A promotion that is forced may lose writes that the old primary accepted. */
export function harmOfPromotion({ force }: { readonly force?: boolean | undefined }): Harm {
  return force === true ? 'destroys' : 'cluster';
}
