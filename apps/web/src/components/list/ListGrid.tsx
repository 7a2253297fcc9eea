import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type DataGridProps, type GridView } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { useNavigate } from '@tanstack/react-router';
import { useShortcutsSetting } from '#queries/settings.ts';
import { sortingOf, sortText } from '../table/sorting.ts';
import { useGridView } from '../table/use-grid-view.ts';
import { statusOf, type ListQuery } from './list-query.ts';
import { ListFailure } from './ListFailure.tsx';

/** Why a list shows nothing although there is something, and the way out. */
export interface Narrowed {
  readonly title: string;
  /** `Clear` unless it is more than the words of a search. */
  readonly label?: string;
  readonly onClear: () => void;
}

type Given = 'view' | 'onViewChange' | 'sorting' | 'onSortingChange' | 'sortedBy' | 'hasLetterKeys';

export interface ListGridProps<Row extends object> extends Omit<
  DataGridProps<Row>,
  Given | 'status' | 'error' | 'rowHref'
> {
  /** The key of the arrangement in a person's preferences. */
  list: string;
  /** The arrangement before a person changes it. */
  firstView?: GridView;
  query: ListQuery;
  /** Where the query alone does not say it. */
  status?: DataGridProps<Row>['status'];
  /** Without it a row leads nowhere. */
  rowHref?: (row: Row) => string;
  /** The order of the rows, as the address writes it. */
  sort?: string | undefined;
  /** Without it no column can be sorted. */
  onSort?: (sort: string | undefined) => void;
  narrowed?: Narrowed | undefined;
  /** Instead of what is said of any failure. */
  error?: DataGridProps<Row>['error'];
}

/** Rows of a list in their grid, arranged as the person likes it, and what stands there without any. */
export function ListGrid<Row extends object>({
  list,
  firstView = defaultGridView,
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
