import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type DataGridProps, type GridView } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { useNavigate } from '@tanstack/react-router';
import { useShortcutsSetting } from '#queries/settings.ts';
import { sortingOf, sortText } from '../table/sorting.ts';
import { useGridView } from '../table/use-grid-view.ts';
import { statusOf, type ListQuery } from './list-query.ts';
import { ListFailure } from './ListFailure.tsx';

/** Why filters leave no rows, and how to clear them. */
export interface Narrowed {
  readonly title: string;
  /** `Clear` by default; different if more than the search is cleared. */
  readonly label?: string;
  readonly onClear: () => void;
}

type Given = 'view' | 'onViewChange' | 'sorting' | 'onSortingChange' | 'sortedBy' | 'hasLetterKeys';

export interface ListGridProps<Row extends object> extends Omit<
  DataGridProps<Row>,
  Given | 'status' | 'error' | 'rowHref'
> {
  /** The preference key of the arrangement. */
  list: string;
  /** The default arrangement; without IDs if absent. */
  firstView?: GridView;
  query: ListQuery;
  /** If the query doesn't determine it. */
  status?: DataGridProps<Row>['status'];
  /** Undefined if rows have no page. */
  rowHref?: (row: Row) => string;
  /** The sort order, as in the address. */
  sort?: string | undefined;
  /** Undefined if no column is sortable. */
  onSort?: (sort: string | undefined) => void;
  narrowed?: Narrowed | undefined;
  /** Replaces the default error. */
  error?: DataGridProps<Row>['error'];
}

/** IDs are rarely what a list is read for. */
const withoutIds: GridView = { ...defaultGridView, hidden: ['id'] };

/** A list's rows in a grid with the user's arrangement, or its empty state. */
export function ListGrid<Row extends object>({
  list,
  firstView = withoutIds,
  query,
  status = statusOf(query),
  sort,
  onSort,
  narrowed,
  error,
  ...grid
}: ListGridProps<Row>) {
  const navigate = useNavigate();
  const [view, setView] = useGridView(list, firstView);
  const [hasLetterKeys] = useShortcutsSetting();
  const { rows, rowHref, empty } = grid;
  return (
    <DataGrid<Row>
      {...(rowHref && { onOpen: (row) => void navigate({ href: rowHref(row) }) })}
      {...grid}
      status={status}
      sorting={sortingOf(sort)}
      {...(onSort && {
        onSortingChange: (sorting) => {
          onSort(sortText(sorting));
        },
      })}
      sortedBy="given"
      view={view}
      onViewChange={setView}
      hasLetterKeys={hasLetterKeys}
      empty={
        narrowed === undefined ? (
          empty
        ) : (
          <NoMatches
            title={narrowed.title}
            action={
              <Button size={28} onPress={narrowed.onClear}>
                {narrowed.label ?? 'Clear'}
              </Button>
            }
          />
        )
      }
      error={
        error ?? <ListFailure error={query.error} loaded={rows.length} onRetry={() => void query.refetch()} />
      }
    />
  );
}
