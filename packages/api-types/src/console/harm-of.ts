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

/** A secret's own number of kept versions (0 uses the engine's) and its engine's; null if unknown. */
export interface Keeping {
  readonly own: number;
  readonly engine: number | null;
}

/** Versions kept before and after a change. An unknown engine is assumed to keep all before and one after. */
function keptVersionsOf(before: Keeping, after: Keeping): readonly [number, number] {
  const kept = ({ own, engine }: Keeping, unknown: number): number =>
    own === 0 && engine === null ? unknown : keptVersions(own, engine ?? 0);
  return [kept(before, Infinity), kept(after, 1)];
}

/**
 * The harm of keeping fewer versions. It doesn't depend on the stored versions: later writes delete the oldest without
 * another confirmation.
 */
export function harmOfKeeping(before: Keeping, after: Keeping): Harm | undefined {
  const [keptBefore, keptAfter] = keptVersionsOf(before, after);
  return keptAfter < keptBefore ? 'destroys' : undefined;
}

/**
 * The harm of another engine that keeps fewer versions of a secret. A server that prefers the secret's own number to
 * the engine's keeps as many as before; Vault and OpenBao keep the larger number. An unknown engine is the worst case.
 * @param own the secret's number; 0 uses the engine's
 */
export function harmOfOtherEngine(own: number, from: number | null, to: number | null): Harm | undefined {
  const kept = (engine: number | null, unknown: number): number =>
    engine === null ? Math.max(own, unknown) : keptVersions(0, Math.max(own, engine));
  return kept(to, 1) < kept(from, Infinity) ? 'destroys' : undefined;
}

/** The stored versions whose values are lost when fewer are kept, newest first. */
export function lostVersions<One extends Version>(
  versions: readonly One[],
  before: Keeping,
  after: Keeping,
): readonly One[] {
  const [keptBefore, keptAfter] = keptVersionsOf(before, after);
  return versions
    .toSorted((a, b) => b.version - a.version)
    .slice(keptAfter, Math.max(keptBefore, keptAfter))
    .filter(({ state }) => state !== 'destroyed');
}

/**
 * The harm of a new primary. The same primary at other addresses, or none, keeps all data.
 */
export function harmOfNewPrimary(kind: 'environment' | 'addresses' | 'forget'): Harm {
  return kind === 'environment' ? 'wipes' : 'cluster';
}

/**
 * The harm of a move, which takes all readable versions or only the newest. The remaining versions are deleted with the
 * source. An engine that keeps fewer versions deletes the moved ones at later writes.
 */
export function harmOfMove(
  { kind, mode, versions }: { readonly kind: string; readonly mode: string; readonly versions: string },
  /** The secret's versions; null if unknown. */
  stored: readonly Version[] | null,
  /** The harm of what the destination keeps. */
  keeping: Harm | undefined,
): Harm | undefined {
  if (mode === 'copy') return undefined;
  if (kind === 'folder' || stored === null) return 'destroys';
  const kept = stored.filter(({ state }) => state !== 'destroyed');
  const taken =
    versions === 'latest'
      ? 1
      : kept.filter(({ state }) => state === 'readable' || state === 'scheduled').length;
  return kept.length > taken ? 'destroys' : (keeping ?? 'stops');
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

/**
 * Clients of a released version get an image at an address immediately. A new architecture of a provider may become the
 * one that they get, even without an image.
 */
export function harmOfNewProvider(
  { name, url }: Pick<ProviderFields, 'name' | 'url'>,
  version: (Released & { readonly providers: readonly { readonly name: string }[] }) | null,
): Harm | undefined {
  const isThere = version?.providers.some((one) => one.name.toLowerCase() === name.toLowerCase());
  return version?.status === released && (isThere === true || url !== '') ? 'reaches' : undefined;
}

/** A forced promotion may lose writes that the old primary accepted. */
export function harmOfPromotion({ force }: { readonly force?: boolean | undefined }): Harm {
  return force === true ? 'destroys' : 'cluster';
}
