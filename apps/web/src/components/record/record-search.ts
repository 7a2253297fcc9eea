/** What the address says about a list of records, or about the lists of a record. */
import type { GridSorting } from '@gatehouse/ui/data-grid';

export interface RecordSearch {
  /** Words to search for. */
  readonly q?: string;
  /** Column id, with `-` before it for descending. */
  readonly sort?: string;
  /** The list that is shown, where there is more than one. */
  readonly tab?: string;
}

/** Reads the search parameters; what is not understood is left out. */
export function parseRecordSearch(search: Readonly<Record<string, unknown>>): RecordSearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && pattern.test(written) ? written : undefined;
  };
  const q = text('q', /^.{1,256}$/su);
  const sort = text('sort', /^-?[a-z_]{1,40}$/);
  const tab = text('tab', /^[a-z]{1,20}$/);
  return {
    ...(q !== undefined && { q }),
    ...(sort !== undefined && { sort }),
    ...(tab !== undefined && { tab }),
  };
}

/** The order that the address asks for. */
export function sortingOf({ sort }: RecordSearch): GridSorting | null {
  if (sort === undefined) return null;
  return sort.startsWith('-')
    ? { columnId: sort.slice(1), direction: 'descending' }
    : { columnId: sort, direction: 'ascending' };
}

/** The search parameters with another order. */
export function withSorting({ q, tab }: RecordSearch, sorting: GridSorting | null): RecordSearch {
  return {
    ...(q !== undefined && { q }),
    ...(tab !== undefined && { tab }),
    ...(sorting !== null && {
      sort: sorting.direction === 'descending' ? `-${sorting.columnId}` : sorting.columnId,
    }),
  };
}

/** The search parameters with other words to search for. */
export function withWords({ sort, tab }: RecordSearch, text: string): RecordSearch {
  return {
    ...(text !== '' && { q: text }),
    ...(sort !== undefined && { sort }),
    ...(tab !== undefined && { tab }),
  };
}
