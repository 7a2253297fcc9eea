/** How boxes and their versions are ordered, without the schemas: lists need no more. */

export const boxSorts = ['downloads', 'created', 'updated'] as const;
export const boxOrders = ['desc', 'asc'] as const;

/** The architecture of a provider that was made without one, and the one by which a registry is asked that knows none. */
export const unknownArchitecture = 'unknown';

/** What of a provider tells its images apart. */
export interface ProviderImage {
  readonly name: string;
  /** Null where the registry does not tell. */
  readonly architecture: string | null;
}

/** The architecture by which a provider is addressed. */
export function architectureOf({ architecture }: Pick<ProviderImage, 'architecture'>): string {
  return architecture ?? unknownArchitecture;
}

/** How a provider is called in a sentence: `libvirt (arm64)`, and `libvirt` where no architecture is known. */
export function providerLabel({ name, architecture }: ProviderImage): string {
  return architecture === null || architecture === unknownArchitecture ? name : `${name} (${architecture})`;
}

/** What is one image of a version: names and architectures are the same in capital letters and small ones. */
export function imageKey({ name, architecture }: ProviderImage): string {
  return `${name}/${architecture ?? unknownArchitecture}`.toLowerCase();
}

/** Whether the registry holds an image of a provider, as far as it tells. */
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
 * The order of version numbers as clients have it (RubyGems'): 1.0.0-beta < 1.0.0.pre1 < 1.0.0 < 1.10.
 * @returns less than 0 when `a` comes before `b`
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at] ?? 0n, right[at] ?? 0n];
    if (one === other) continue;
    if (typeof one !== typeof other) return typeof one === 'string' ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}

function segmentsOf(version: string): (string | bigint)[] {
  const segments = version.replaceAll('-', '.pre.').match(/[0-9]+|[a-z]+/gi) ?? [];
  return segments.map((segment) => (/^[0-9]/.test(segment) ? BigInt(segment) : segment));
}
