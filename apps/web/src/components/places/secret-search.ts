/** What the address of a secret carries beside its path. Values are never in it. */
export const secretTabIds = ['data', 'versions', 'metadata'] as const;
export type SecretTabId = (typeof secretTabIds)[number];

export interface SecretSearch {
  /** Without it the data. */
  readonly tab?: SecretTabId;
  /** The version whose data is shown; without it the newest. */
  readonly version?: number;
  /** The two versions that are compared: the older first. */
  readonly from?: number;
  readonly to?: number;
}

/** What is not understood is left out. */
export function parseSecretSearch(search: Readonly<Record<string, unknown>>): SecretSearch {
  const tab = secretTabIds.find((id) => id === search.tab);
  const [version, from, to] = [search.version, search.from, search.to].map(versionOf);
  return {
    ...(tab !== undefined && tab !== 'data' && { tab }),
    ...(version !== undefined && { version }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** The query of an address, with its question mark; '' for none. */
export function secretSearchText(search: SecretSearch): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) text.set(name, String(value));
  return text.size === 0 ? '' : `?${text.toString()}`;
}

function versionOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 ? number : undefined;
}
