import type { ReactNode } from 'react';
import type { MenuEntry } from '../menu/Menu.tsx';

/** A cell's value, used to sort, copy, and display it without `cell`. */
export type GridValue = string | number | boolean | null | undefined;

export interface GridColumn<Row extends object> {
  id: string;
  /** One or two words. */
  header: string;
  value: (row: Row) => GridValue;
  /** Renders the value, which is shown as text otherwise. Only called for visible rows. */
  cell?: (row: Row) => ReactNode;
  /** Initial width in px. */
  width: number;
  /** Minimum width in px; 64 by default. */
  minWidth?: number;
  sortable?: boolean;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  /** For IDs, addresses, expressions. */
  isMono?: boolean;
  /** The column that names the row: it has the link, can't be hidden, and is read out with every cell. */
  isRowHeader?: boolean;
  /**
   * A second line in a narrow window, for the most important information of other columns. Its column comes first there,
   * and only it stays in place when the others scroll. For one column.
   */
  below?: (row: Row) => ReactNode;
}

export interface GridSorting {
  columnId: string;
  direction: 'ascending' | 'descending';
}

/** The user's arrangement of the grid, as plain data to be stored on the server. */
export interface GridView {
  /** IDs of hidden columns. */
  hidden: readonly string[];
  /** Widths in px by column ID, where they differ from the column's own. */
  widths: Readonly<Record<string, number>>;
  /** IDs of columns pinned to the start and to the end of the row. */
  pinned: { readonly start: readonly string[]; readonly end: readonly string[] };
  /** Height of a row in px. */
  density: GridDensity;
}

export type GridDensity = 28 | 32 | 40;

/** The initial arrangement. */
export const defaultGridView: GridView = {
  hidden: [],
  widths: {},
  pinned: { start: [], end: [] },
  density: 32,
};

/** Rows by ID, or all that match the query, including rows that aren't loaded. */
export type GridSelection = { kind: 'rows'; ids: ReadonlySet<string> } | { kind: 'all-matching' };

export const emptyGridSelection: GridSelection = { kind: 'rows', ids: new Set<string>() };

/** Number of rows that match the query, loaded or not. */
export interface GridMatchCount {
  /** `Infinity` if more follow and their number is unknown. */
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
  /** Accessible name. */
  label: string;
  noun: GridNoun;
  columns: readonly GridColumn<Row>[];
  /** The rows loaded so far. The array must be stable between renders. */
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row's name, for its checkbox and its menu. */
  rowLabel: (row: Row) => string;

  /** `loading` before the first rows; `loading-more` while more are loaded; `failed` keeps rows and shows `error`. */
  status: 'loading' | 'ready' | 'loading-more' | 'failed';
  matchCount?: GridMatchCount;
  /** Called when the end of the loaded rows becomes visible and more match. */
  onLoadMore?: () => void;
  /** Shown without rows: an EmptyState, or NoMatches while a filter is active. */
  empty: ReactNode;
  /** Shown when loading failed: an ErrorState without rows, a Banner above existing rows. */
  error: ReactNode;

  /** The row's address: its name becomes a link, and Enter opens it through `onOpen`. */
  rowHref?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** Actions for a row, in a menu at its end and with the context menu key. */
  rowActions?: (row: Row) => readonly MenuEntry[];

  sorting: GridSorting | null;
  /** Without it, no column can be sorted. */
  onSortingChange?: (sorting: GridSorting | null) => void;
  /** `given`: the server sorts the rows. `here`: all rows are loaded, and the grid sorts them. */
  sortedBy?: 'given' | 'here';

  view: GridView;
  onViewChange: (view: GridView) => void;

  /** Without it, rows can't be selected. */
  selection?: GridSelection;
  onSelectionChange?: (selection: GridSelection) => void;
  /** Buttons of 28 px for the selected rows. */
  bulkActions?: ReactNode;
  /** Offers to select all that match, loaded or not. */
  canSelectAllMatching?: boolean;

  /** Enables j and k; false if the user switched single-letter shortcuts off. */
  hasLetterKeys?: boolean;
  /** Additional controls at the end of the bar. */
  barEnd?: ReactNode;
}
