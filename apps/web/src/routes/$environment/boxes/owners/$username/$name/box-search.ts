/** What the address of a box carries beside its names. */
export interface BoxSearch {
  /** Without it the overview. */
  readonly tab?: 'versions';
}

/** Reads the search parameters; what is not understood is left out. */
export function parseBoxSearch(search: Readonly<Record<string, unknown>>): BoxSearch {
  return search['tab'] === 'versions' ? { tab: 'versions' } : {};
}
