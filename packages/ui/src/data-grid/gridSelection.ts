import type { GridMatchCount, GridNoun, GridSelection } from './gridTypes.ts';

/** Whether a row is selected. */
export function isRowSelected(selection: GridSelection, id: string): boolean {
  return selection.kind === 'all-matching' || selection.ids.has(id);
}

/** How many of the loaded rows are selected: none, some, or all. */
export function loadedSelectionState(
  selection: GridSelection,
  loadedIds: readonly string[],
): 'none' | 'some' | 'all' {
  if (loadedIds.length === 0) return 'none';
  if (selection.kind === 'all-matching') return 'all';
  if (selection.ids.size === 0) return 'none';
  return loadedIds.every((id) => selection.ids.has(id)) ? 'all' : 'some';
}

/**
 * Adds or removes a row. Removing one from "all that match" leaves the other loaded rows selected; rows that aren't
 * loaded are deselected, because the user never saw them.
 */
export function toggleRow(selection: GridSelection, id: string, loadedIds: readonly string[]): GridSelection {
  const ids = new Set(selection.kind === 'all-matching' ? loadedIds : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { kind: 'rows', ids };
}

/** Adds every row between two, inclusive, in the displayed order. */
export function selectRange(
  selection: GridSelection,
  fromIndex: number,
  toIndex: number,
  loadedIds: readonly string[],
): GridSelection {
  const first = Math.min(fromIndex, toIndex);
  const last = Math.max(fromIndex, toIndex);
  const before = selection.kind === 'all-matching' ? loadedIds : selection.ids;
  return { kind: 'rows', ids: new Set([...before, ...loadedIds.slice(first, last + 1)]) };
}

function count(number: number, noun: GridNoun): string {
  return `${number.toLocaleString()} ${number === 1 ? noun.one : noun.many}`;
}

function about(match: GridMatchCount): string {
  return match.isExact ? match.value.toLocaleString() : `about ${match.value.toLocaleString()}`;
}

/** The number of rows, and how many are loaded: `100,000 targets`, `12,000 of about 100,000 targets loaded`. */
export function describeCount(loaded: number, match: GridMatchCount | undefined, noun: GridNoun): string {
  if (match === undefined || (match.isExact && match.value === loaded)) return count(loaded, noun);
  if (match.value === Infinity) return `${count(loaded, noun)} loaded, more as you scroll`;
  return `${loaded.toLocaleString()} of ${about(match)} ${noun.many} loaded`;
}

/** The selection in words: `12 targets selected`, `All 100,000 targets that match are selected`. */
export function describeSelection(
  selection: GridSelection,
  loaded: number,
  match: GridMatchCount | undefined,
  noun: GridNoun,
): string {
  if (selection.kind === 'rows') return `${count(selection.ids.size, noun)} selected`;
  return `All ${match === undefined ? loaded.toLocaleString() : about(match)} ${noun.many} that match are selected`;
}

/** Label for extending the selection from the loaded rows to all that match. */
export function describeAllMatching(match: GridMatchCount): string {
  return `Select all ${about(match)} that match`;
}
