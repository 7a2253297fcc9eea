/** The harm of operations for which it depends on the call, for the BFF and for the page, which asks before sending. */
import { architectureOf, hasImage } from './box-values.ts';
import type { Harm } from './harm.ts';

/** Versions that a server keeps of a secret if neither the secret nor its engine sets a number. */
export const defaultKeptVersions = 10;

interface Version {
  readonly version: number;
  readonly state: 'readable' | 'scheduled' | 'deleted' | 'destroyed';
}

/** The number of versions kept, from the secret's setting (0 uses the engine's) and the engine's. */
export function keptVersions(own: number, engine: number): number {
  if (own > 0) return own;
  return engine > 0 ? engine : defaultKeptVersions;
}

/**
 * The versions whose values are lost when a secret's own number of kept versions changes, newest first.
 * @param engine the engine's number; null if unknown, which assumes the worst
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

/**
 * The harm of keeping fewer versions in an engine. The versions of its secrets are not checked, because there may be
 * many.
 */
export function harmOfEngine(before: number, after: number): Harm | undefined {
  return keptVersions(0, after) < keptVersions(0, before) ? 'destroys' : undefined;
}

/** The harm of a new primary. The same primary at other addresses, or none, keeps all data. */
export function harmOfNewPrimary(kind: 'environment' | 'addresses' | 'forget'): Harm {
  return kind === 'environment' ? 'wipes' : 'cluster';
}

/**
 * The harm of a move, which takes all readable versions or only the newest. The remaining versions are deleted with the
 * source.
 */
export function harmOfMove(
  { kind, mode, versions }: { readonly kind: string; readonly mode: string; readonly versions: string },
  /** The secret's versions; null if unknown. */
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

/** A person's names don't affect rights; their roles and whether they can sign in do. */
export function harmOfPersonChanges(changes: {
  readonly disabled?: unknown;
  readonly roles?: unknown;
}): Harm | undefined {
  return changes.disabled === undefined && changes.roles === undefined ? undefined : 'rights';
}

const released = 'active';

/** A box or module version. Clients find a released one by its name, so renaming it breaks them. */
interface Released {
  readonly status: string;
}

/** Visibility decides who can see a box, and clients of its releases use its name. Its descriptions affect nobody. */
export function harmOfBoxChanges(
  { name, is_private }: { readonly name?: string | undefined; readonly is_private?: boolean | undefined },
  stored: { readonly name: string; readonly is_private: boolean; readonly versions: readonly Released[] },
): Harm | undefined {
  if (is_private !== undefined && is_private !== stored.is_private) return 'rights';
  const isRenamed = name !== undefined && name !== stored.name;
  return isRenamed && stored.versions.some(({ status }) => status === released) ? 'destroys' : undefined;
}

/** Clients get a release by its number; its description doesn't matter to them. */
export function harmOfVersionChanges(
  { version }: { readonly version?: string | undefined },
  stored: Released & { readonly version: string },
): Harm | undefined {
  const isRenumbered = version !== undefined && version !== stored.version;
  return isRenumbered && stored.status === released ? 'destroys' : undefined;
}

/** Replaces the previous root configuration, whose secret key can't be read. */
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
 * Setting an address deletes the uploaded image. In a released version every field matters to clients: they find an
 * image by name and architecture, and verify it by checksum.
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

/** A new architecture of a provider in a released version may become the one that clients get. */
export function harmOfNewProvider(
  { name }: { readonly name: string },
  version: (Released & { readonly providers: readonly { readonly name: string }[] }) | null,
): Harm | undefined {
  const isThere = version?.providers.some((one) => one.name.toLowerCase() === name.toLowerCase());
  return isThere === true && version?.status === released ? 'reaches' : undefined;
}

/** A forced promotion may lose writes that the old primary accepted. */
export function harmOfPromotion({ force }: { readonly force?: boolean | undefined }): Harm {
  return force === true ? 'destroys' : 'cluster';
}
