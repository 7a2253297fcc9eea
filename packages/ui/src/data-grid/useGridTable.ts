import {
  type ColumnDef,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  type Table,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { DataGridProps, GridColumn, GridValue } from './gridTypes.ts';

/** The checkbox column and the row menu column. */
export const selectColumnId = ':select';
export const actionsColumnId = ':actions';

const features = tableFeatures({
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Ascending order of two values: numbers by value, text in natural order, unset values last. */
export function compareValues(first: GridValue, second: GridValue): number {
  const isFirstSet = first !== null && first !== undefined && first !== '';
  const isSecondSet = second !== null && second !== undefined && second !== '';
  if (!isFirstSet || !isSecondSet) return Number(isSecondSet) - Number(isFirstSet);
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return words.compare(String(first), String(second));
}

/** A column with its current layout. */
export interface LaidOutColumn<Row extends object> {
  id: string;
  /** `undefined` for the checkbox and menu columns. */
  column: GridColumn<Row> | undefined;
  /** px */
  width: number;
  pinned: 'start' | 'end' | false;
  /** Distance in px from the edge that it is pinned to. */
  offset: number;
  /** The innermost pinned column, which has a line beside the scrolling ones. */
  isPinEdge: boolean;
}

export interface GridTable<Row extends object> {
  columns: LaidOutColumn<Row>[];
  rows: readonly Row[];
  /** The `grid-template-columns` of every row. */
  template: string;
  /** px */
  width: number;
}

type Options<Row extends object> = Pick<
  DataGridProps<Row>,
  'columns' | 'rows' | 'rowId' | 'sorting' | 'sortedBy' | 'view' | 'selection' | 'rowActions'
>;

/** Computes the position of each visible column: pinned ones at their edge, the others between them. */
function layOut<Row extends object>(
  table: Pick<
    Table<typeof features, Row>,
    'getStartVisibleLeafColumns' | 'getCenterVisibleLeafColumns' | 'getEndVisibleLeafColumns'
  >,
  columns: readonly GridColumn<Row>[],
): Pick<GridTable<Row>, 'columns' | 'template'> {
  const start = table.getStartVisibleLeafColumns();
  const center = table.getCenterVisibleLeafColumns();
  const end = table.getEndVisibleLeafColumns();
  const own = (id: string) => columns.find((column) => column.id === id);

  const laidOut: LaidOutColumn<Row>[] = [
    ...start.map((column, index) => ({
      id: column.id,
      column: own(column.id),
      width: column.getSize(),
      pinned: 'start' as const,
      offset: column.getStart('start'),
      isPinEdge: index === start.length - 1,
    })),
    ...center.map((column) => ({
      id: column.id,
      column: own(column.id),
      width: column.getSize(),
      pinned: false as const,
      offset: 0,
      isPinEdge: false,
    })),
    ...end.map((column, index) => ({
      id: column.id,
      column: own(column.id),
      width: column.getSize(),
      pinned: 'end' as const,
      offset: column.getAfter('end'),
      isPinEdge: index === 0,
    })),
  ];

  // The last scrolling column takes the remaining width, so that the menus are at the edge.
  const stretched = center.at(-1)?.id;
  const template = laidOut
    .map(({ id, width }) => (id === stretched ? `minmax(${String(width)}px, 1fr)` : `${String(width)}px`))
    .join(' ');
  return { columns: laidOut, template };
}

/** The grid's columns in order with width and offset, and its rows in order. Only this hook uses the table library. */
export function useGridTable<Row extends object>({
  columns,
  rows,
  rowId,
  sorting,
  sortedBy = 'given',
  view,
  selection,
  rowActions,
}: Options<Row>): GridTable<Row> {
  const hasSelect = selection !== undefined;
  const hasActions = rowActions !== undefined;

  const definitions = useMemo(() => {
    const own: ColumnDef<typeof features, Row>[] = columns.map((column) => ({
      id: column.id,
      accessorFn: column.value,
      size: column.width,
      minSize: column.minWidth ?? 64,
      sortFn: (first, second, id) =>
        compareValues(first.getValue<GridValue>(id), second.getValue<GridValue>(id)),
    }));
    const edge = (id: string, size: number): ColumnDef<typeof features, Row> => ({
      id,
      accessorFn: () => null,
      size,
      minSize: size,
    });
    return [
      ...(hasSelect ? [edge(selectColumnId, 36)] : []),
      ...own,
      ...(hasActions ? [edge(actionsColumnId, 40)] : []),
    ];
  }, [columns, hasSelect, hasActions]);

  const state = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(view.hidden.map((id) => [id, false])),
      columnSizing: { ...view.widths },
      columnPinning: {
        start: [...(hasSelect ? [selectColumnId] : []), ...view.pinned.start],
        end: [...view.pinned.end, ...(hasActions ? [actionsColumnId] : [])],
      },
      sorting: sorting === null ? [] : [{ id: sorting.columnId, desc: sorting.direction === 'descending' }],
    }),
    [view, sorting, hasSelect, hasActions],
  );

  // With the same options the library returns the same table, so visible rows don't render again.
  const options = useMemo(
    () => ({
      features,
      columns: definitions,
      data: rows,
      getRowId: rowId,
      manualSorting: sortedBy === 'given',
      state,
    }),
    [definitions, rows, rowId, sortedBy, state],
  );
  const table = useTable<typeof features, Row>(options);

  const sorted = sortedBy === 'here' ? table.getRowModel().rows : undefined;
  const sortedRows = useMemo(() => sorted?.map((row) => row.original), [sorted]);

  const laidOut = useMemo(() => layOut(table, columns), [table, columns]);
  return { ...laidOut, rows: sortedRows ?? rows, width: table.getTotalSize() };
}
