/** What the address says about the list of targets: a detail keeps it too, so that previous and next walk the same list. */
import type { GridSorting } from '@gatehouse/ui/data-grid';
import { globalScope } from '#queries/global-scope.ts';

export interface TargetsSearch {
  /** The scope's id; the global scope without it. */
  readonly scope?: string;
  /** False: only the scope itself. */
  readonly recursive?: false;
  /** A filter expression of the controller. */
  readonly filter?: string;
  /** Words to search for in what is loaded. */
  readonly q?: string;
  /** Column id, with `-` before it for descending. */
  readonly sort?: string;
}

/** Reads the search parameters; what is not understood is left out, so that an old link still leads somewhere. */
export function parseTargetsSearch(search: Readonly<Record<string, unknown>>): TargetsSearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && written !== '' && pattern.test(written) ? written : undefined;
  };
  const scope = text('scope', /^[A-Za-z0-9_]{1,64}$/);
  const filter = text('filter', /^[^\0]{1,4096}$/s);
  const q = text('q', /^.{1,256}$/su);
  const sort = text('sort', /^-?[a-z_]{1,40}$/);
  return {
    ...(scope !== undefined && scope !== globalScope && { scope }),
    ...((search['recursive'] === false || search['recursive'] === 'false') && { recursive: false as const }),
    ...(filter !== undefined && { filter }),
    ...(q !== undefined && { q }),
    ...(sort !== undefined && { sort }),
  };
}

/** What the list alone has in its address. */
export interface TargetListSearch extends TargetsSearch {
  /** *Why not?* is open: with the id of the target that is asked about, once there is one. */
  readonly why?: true | string;
}

/** Reads the search parameters of the list. */
export function parseTargetListSearch(search: Readonly<Record<string, unknown>>): TargetListSearch {
  const { why } = search;
  const isOpen = why === true || why === 'true';
  const isId = typeof why === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(why);
  return { ...parseTargetsSearch(search), ...(isOpen ? { why: true as const } : isId && { why }) };
}

/** Whether a list can be asked for: targets are in projects, other scopes list those below them or nothing. */
export function isListable({
  scope = globalScope,
  recursive,
}: Pick<TargetsSearch, 'scope' | 'recursive'>): boolean {
  return recursive !== false || scope.startsWith('p_');
}

/** A new target belongs where one was looking. */
export function placeOf({ scope }: TargetsSearch): { scope?: string } {
  return scope?.startsWith('p_') === true ? { scope } : {};
}

/** The order that the address asks for. */
export function sortingOf({ sort }: Pick<TargetsSearch, 'sort'>): GridSorting | null {
  if (sort === undefined) return null;
  return sort.startsWith('-')
    ? { columnId: sort.slice(1), direction: 'descending' }
    : { columnId: sort, direction: 'ascending' };
}

/** The order as the address writes it. */
export function sortText(sorting: GridSorting | null): string | undefined {
  if (sorting === null) return undefined;
  return sorting.direction === 'descending' ? `-${sorting.columnId}` : sorting.columnId;
}
