import { Button } from '@gatehouse/ui/button';
import {
  DataGrid,
  defaultGridView,
  type GridColumn,
  type GridNoun,
  type GridSorting,
} from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import type { MenuEntry } from '@gatehouse/ui/menu';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useShortcutsSetting } from '#queries/settings.ts';
import { Failure } from '../errors/Failure.tsx';
import { useGridView } from '../table/use-grid-view.ts';
import { arrangeRecords } from './arrange-records.ts';

export interface RecordGridProps<Item extends { id: string }> {
  /** The key of the arrangement in a person's preferences. */
  list: string;
  label: string;
  noun: GridNoun;
  columns: readonly GridColumn<Item>[];
  query: UseQueryResult<readonly Item[]>;
  nameOf: (item: Item) => string;
  hrefOf: (item: Item) => string;
  actionsOf?: (item: Item) => readonly MenuEntry[];
  /** Words that any column of a row holds. */
  search: string;
  onClearSearch: () => void;
  sorting: GridSorting | null;
  onSortingChange: (sorting: GridSorting | null) => void;
  /** Said where there is none at all: an EmptyState. */
  empty: ReactNode;
}

const noRows: readonly never[] = [];

/** A list of records that is loaded whole, searched and sorted here. */
export function RecordGrid<Item extends { id: string }>(props: RecordGridProps<Item>) {
  const { list, label, noun, columns, query, nameOf, hrefOf, actionsOf } = props;
  const { search, onClearSearch, sorting, onSortingChange, empty } = props;
  const navigate = useNavigate();
  const [view, setView] = useGridView(list, defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const items = query.data ?? noRows;
  const rows = useMemo(
    () => arrangeRecords(items, columns, search, sorting),
    [items, columns, search, sorting],
  );
  return (
    <DataGrid<Item>
      label={label}
      noun={noun}
      columns={columns}
      rows={rows}
      rowId={idOf}
      rowLabel={nameOf}
      status={query.isPending ? 'loading' : query.isError ? 'failed' : 'ready'}
      rowHref={hrefOf}
      onOpen={(item) => void navigate({ href: hrefOf(item) })}
      {...(actionsOf !== undefined && { rowActions: actionsOf })}
      sorting={sorting}
      onSortingChange={onSortingChange}
      sortedBy="given"
      view={view}
      onViewChange={setView}
      hasLetterKeys={hasLetterKeys}
      empty={
        search === '' || items.length === 0 ? (
          empty
        ) : (
          <NoMatches
            title={`No ${noun.many} match "${search}".`}
            action={
              <Button size={28} onPress={onClearSearch}>
                Clear
              </Button>
            }
          />
        )
      }
      error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
    />
  );
}

function idOf({ id }: { id: string }): string {
  return id;
}
