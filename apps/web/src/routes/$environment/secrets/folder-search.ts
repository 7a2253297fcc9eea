/** What the address of a folder carries beside its path. */
export interface FolderSearch {
  /** Words that are looked for in the names below. */
  readonly q?: string;
}

export function parseFolderSearch(search: Readonly<Record<string, unknown>>): FolderSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : '';
  return q === '' ? {} : { q };
}
