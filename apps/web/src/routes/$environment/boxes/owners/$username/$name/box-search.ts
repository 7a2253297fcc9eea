/** What the address of a box carries beside its names. */
import { parseBoxesSearch, type BoxesSearch } from '#routes/$environment/boxes/boxes-search.ts';

/** The search that led there is kept, to go on to the next box of it. */
export interface BoxSearch extends BoxesSearch {
  /** Without it the overview. */
  readonly tab?: 'versions';
}

/** Reads the search parameters; what is not understood is left out. */
export function parseBoxSearch(search: Readonly<Record<string, unknown>>): BoxSearch {
  return { ...parseBoxesSearch(search), ...(search['tab'] === 'versions' && { tab: 'versions' }) };
}

/** An address with the search that led to the box. */
export function withSearch(href: string, search: BoxSearch): string {
  const text = new URLSearchParams(
    Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? href : `${href}?${text}`;
}
