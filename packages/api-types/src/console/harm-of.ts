/** The harm of calls where it depends on what they are about: for the BFF, and for the page where it asks before it sends. */
import { hasImage } from './box-values.ts';
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

/** Who sees a box is decided with it; its texts are no rights. */
export function harmOfBoxChanges(
  changes: { readonly is_private?: boolean | undefined },
  stored: { readonly is_private: boolean },
): Harm | undefined {
  return (changes.is_private ?? stored.is_private) === stored.is_private ? undefined : 'rights';
}

/** A root configuration replaces the one before: a secret key in it can be read by nobody. */
export function harmOfCloudRoot(stored: { readonly access_key: string }): Harm | undefined {
  return stored.access_key === '' ? undefined : 'destroys';
}

/** A provider that is given an address no longer keeps the image that was uploaded. */
export function harmOfProviderChanges(
  changes: { readonly url?: string | undefined },
  stored: { readonly hosted: boolean; readonly available: boolean | null },
): Harm | undefined {
  return hasImage(stored) && changes.url !== undefined && changes.url !== '' ? 'destroys' : undefined;
}

/** A promotion that is forced may lose writes that the old primary accepted. */
export function harmOfPromotion({ force }: { readonly force?: boolean | undefined }): Harm {
  return force === true ? 'destroys' : 'cluster';
}
