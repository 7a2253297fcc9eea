/** What the address says about the list of people. */
export interface PeopleSearch {
  /** Words to search for. */
  readonly q?: string;
  /** Column id, with `-` before it for descending. */
  readonly sort?: string;
}

/** Reads the search parameters; what is not understood is left out. */
export function parsePeopleSearch(search: Readonly<Record<string, unknown>>): PeopleSearch {
  const q = typeof search['q'] === 'number' ? String(search['q']) : search['q'];
  const { sort } = search;
  return {
    ...(typeof q === 'string' && /^.{1,256}$/su.test(q) && { q }),
    ...(typeof sort === 'string' && /^-?[a-z_]{1,40}$/.test(sort) && { sort }),
  };
}
