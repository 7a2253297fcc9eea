import type { ReactNode } from 'react';
import type { MenuEntry } from '../menu/Menu.tsx';

/** What a cell holds when it is sorted, copied or drawn without a `cell` of its own. */
export type GridValue = string | number | boolean | null | undefined;

export interface GridColumn<Row extends object> {
  id: string;
  /** One or two words. */
  header: string;
  value: (row: Row) => GridValue;
  /** How the value is drawn; as text without it. Called for visible rows alone. */
  cell?: (row: Row) => ReactNode;
  /** px, until a person changes it. */
  width: number;
  /** px; 64 by default. */
  minWidth?: number;
  sortable?: boolean;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  /** Ids, addresses, expressions. */
  isMono?: boolean;
  /** The column that names the row: it carries the link, cannot be hidden, and is read out with every cell. */
  isRowHeader?: boolean;
  /** Of the column that names the row: a second line where the window is narrow, of what is worth the most room there. */
  below?: (row: Row) => ReactNode;
}

export interface GridSorting {
  columnId: string;
  direction: 'ascending' | 'descending';
}

/** How a person arranged the grid: plain data, to be kept on the server. */
export interface GridView {
  /** Ids of columns that are not shown. */
  hidden: readonly string[];
  /** px by column id, where it differs from the column's own. */
  widths: Readonly<Record<string, number>>;
  /** Ids of columns that stay in sight, from the start and to the end of the row. */
  pinned: { readonly start: readonly string[]; readonly end: readonly string[] };
  /** Height of a row in px. */
  density: GridDensity;
}

export type GridDensity = 28 | 32 | 40;

/** The arrangement before a person changes it. */
export const defaultGridView: GridView = {
  hidden: [],
  widths: {},
  pinned: { start: [], end: [] },
  density: 32,
};

/** Rows by id; or all that match the query, which may be more than are loaded. */
export type GridSelection = { kind: 'rows'; ids: ReadonlySet<string> } | { kind: 'all-matching' };

export const emptyGridSelection: GridSelection = { kind: 'rows', ids: new Set<string>() };

/** How many rows match the query: it belongs to the query, not to what is loaded. */
export interface GridMatchCount {
  /** `Infinity` where more follow and their number is unknown. */
  value: number;
  /** An estimate is shown with "about". */
  isExact: boolean;
}

export interface GridNoun {
  /** `target` */
  one: string;
  /** `targets` */
  many: string;
}

export interface DataGridProps<Row extends object> {
  /** The grid's accessible name. */
  label: string;
  noun: GridNoun;
  columns: readonly GridColumn<Row>[];
  /** What is loaded so far. Its identity must be stable between renders. */
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** What names the row in words, for its checkbox and its menu. */
  rowLabel: (row: Row) => string;

  /** `loading` before the first rows; `loading-more` while more come; `failed` keeps what there is and shows `error`. */
  status: 'loading' | 'ready' | 'loading-more' | 'failed';
  matchCount?: GridMatchCount;
  /** Asked when the end of what is loaded comes into view and more match. */
  onLoadMore?: () => void;
  /** Shown when there is nothing: an EmptyState, or NoMatches while a filter is on. */
  empty: ReactNode;
  /** Shown when loading failed: an ErrorState without rows, a Banner above them. */
  error: ReactNode;

  /** The place of a row: its name becomes a link, and Enter follows it through `onOpen`. */
  rowHref?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** What can be done with one row; at its end, and by the context menu key. */
  rowActions?: (row: Row) => readonly MenuEntry[];

  sorting: GridSorting | null;
  /** Without it no column can be sorted. */
  onSortingChange?: (sorting: GridSorting | null) => void;
  /** `given`: rows come in their order, from the server. `here`: all rows are loaded and are sorted by their values. */
  sortedBy?: 'given' | 'here';

  view: GridView;
  onViewChange: (view: GridView) => void;

  /** Without a selection rows cannot be chosen. */
  selection?: GridSelection;
  onSelectionChange?: (selection: GridSelection) => void;
  /** Buttons of 28 px for what is selected. */
  bulkActions?: ReactNode;
  /** Allows to select all that match, loaded or not. */
  canSelectAllMatching?: boolean;

  /** j and k move too; off where a person switched single-letter shortcuts off. */
  hasLetterKeys?: boolean;
  /** More of the application's own at the end of the bar. */
  barEnd?: ReactNode;
}
