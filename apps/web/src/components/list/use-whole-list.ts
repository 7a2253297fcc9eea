import type { GridColumn, GridNoun } from '@gatehouse/ui/data-grid';
import { useMemo } from 'react';
import type { ListSearch } from '#lib/search.ts';
import { arrangeRecords } from './arrange-records.ts';
import type { ListFind } from './ListFind.tsx';
import type { Narrowed } from './ListGrid.tsx';
import type { ChangeSearch } from './use-search-state.ts';
import { useSearchText } from './use-search-text.ts';

export interface WholeList<Row extends object> {
  readonly columns: readonly GridColumn<Row>[];
  readonly rowId: (row: Row) => string;
  readonly noun: GridNoun;
  readonly rows: readonly Row[];
  readonly find: ListFind;
  readonly narrowed: Narrowed | undefined;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

export interface WholeListOptions<Row extends object> {
  readonly items: readonly Row[] | undefined;
  readonly columns: readonly GridColumn<Row>[];
  readonly rowId: (row: Row) => string;
  readonly noun: GridNoun;
  /** The searched fields, as named in the field's label. */
  readonly finds: string;
  /** The order until the user chooses one, as in the address; that of `items` if absent. */
  readonly firstSort?: string;
  /** The searched texts of a row; by default, those of all columns. Needs a stable identity. */
  readonly textsOf?: (row: Row) => readonly string[];
  /** The text if nothing matches; `No targets match "db".` by default. */
  readonly nothing?: (text: string) => string;
}

/** A list that is loaded completely, and searched and sorted in the page: props for its grid or page. */
export function useWholeList<Row extends object>(
  [{ q = '', ...search }, change]: readonly [ListSearch, ChangeSearch<ListSearch>],
  { items, columns, rowId, noun, finds, firstSort, textsOf, nothing }: WholeListOptions<Row>,
): WholeList<Row> {
  const { text, write } = useSearchText(q, (next) => {
    change({ q: next === '' ? undefined : next });
  });
  const { sort = firstSort } = search;
  const rows = useMemo(
    () => arrangeRecords(items ?? [], { columns, rowId, textsOf }, text, sort),
    [items, columns, rowId, textsOf, text, sort],
  );
  return {
    columns,
    rowId,
    noun,
    rows,
    find: { label: finds, text, write },
    narrowed:
      text === '' || (items ?? []).length === 0
        ? undefined
        : {
            title: nothing?.(text) ?? `No ${noun.many} match "${text}".`,
            onClear: () => {
              write('');
            },
          },
    sort,
    onSort: (next) => {
      change({ sort: next });
    },
  };
}
