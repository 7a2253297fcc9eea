/** Order and identity of boxes and their versions, without the schemas, which lists don't need. */

export const boxSorts = ['downloads', 'created', 'updated'] as const;
export const boxOrders = ['desc', 'asc'] as const;

/**
 * The architecture of a provider created without one; also used to address providers of a registry without
 * architectures.
 */
export const unknownArchitecture = 'unknown';

/** The fields that identify an image within a version. */
export interface ProviderImage {
  readonly name: string;
  /** Null if the registry doesn't report it. */
  readonly architecture: string | null;
}

/** The architecture by which a provider is addressed. */
export function architectureOf({ architecture }: Pick<ProviderImage, 'architecture'>): string {
  return architecture ?? unknownArchitecture;
}

/** A provider's name in a sentence: `libvirt (arm64)`, or `libvirt` if its architecture is unknown. */
export function providerLabel({ name, architecture }: ProviderImage): string {
  return architecture === null || architecture === unknownArchitecture ? name : `${name} (${architecture})`;
}

/** A key for one image of a version; names and architectures are compared regardless of case. */
export function imageKey({ name, architecture }: ProviderImage): string {
  return `${name}/${architecture ?? unknownArchitecture}`.toLowerCase();
}

/** Whether the registry stores an image of a provider, as far as it reports this. */
export function hasImage({
  hosted,
  available,
}: {
  readonly hosted: boolean;
  readonly available: boolean | null;
}): boolean {
  return hosted && available !== false;
}

/**
 * Compares version numbers in the order of clients (RubyGems): 1.0.0-beta < 1.0.0.pre1 < 1.0.0 < 1.10.
 * @returns less than 0 if `a` comes before `b`
 */
export function compareVersions(a: string, b: string): number {
  return compareSegments(segmentsOf(a), segmentsOf(b));
}

/** Sorts by version like clients do, the newest first. Reads each number once, because a registry may list thousands. */
export function newestFirst<Item extends { readonly version: string }>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, segments: segmentsOf(item.version) }))
    .sort((a, b) => compareSegments(b.segments, a.segments))
    .map(({ item }) => item);
}

type Segments = readonly (string | bigint)[];

function compareSegments(left: Segments, right: Segments): number {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at] ?? 0n, right[at] ?? 0n];
    if (one === other) continue;
    if (typeof one !== typeof other) return typeof one === 'string' ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}

function segmentsOf(version: string): Segments {
  const segments = version.replaceAll('-', '.pre.').match(/[0-9]+|[a-z]+/gi) ?? [];
  return segments.map((segment) => (/^[0-9]/.test(segment) ? BigInt(segment) : segment));
}
