import { Columns3, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { lazy } from '../lazy/parts.ts';
import { Spinner } from '../spinner/Spinner.tsx';
import { describeAllMatching, describeCount, describeSelection } from './gridSelection.ts';
import { type DataGridProps, emptyGridSelection } from './gridTypes.ts';

/**
 * Loaded by the grid once it is shown. It replaces the button only after a press: a replaced button would lose a press
 * that has begun.
 */
const GridColumnsMenu = lazy(async () => ({ default: (await import('./menus.ts')).GridColumnsMenu }));

type GridBarProps<Row extends object> = Pick<
  DataGridProps<Row>,
  | 'columns'
  | 'noun'
  | 'status'
  | 'matchCount'
  | 'view'
  | 'onViewChange'
  | 'selection'
  | 'onSelectionChange'
  | 'bulkActions'
  | 'canSelectAllMatching'
  | 'barEnd'
> & { loadedCount: number; onSelectLoaded: () => void };

/** The line above the grid, of constant height: the selection and its actions replace the count. */
export function GridBar<Row extends object>({
  columns,
  noun,
  status,
  matchCount,
  view,
  onViewChange,
  selection,
  onSelectionChange,
  bulkActions,
  canSelectAllMatching = false,
  barEnd,
  loadedCount,
  onSelectLoaded,
}: GridBarProps<Row>) {
  const [wasAskedForColumns, setAskedForColumns] = useState(false);
  const hasSelection =
    selection !== undefined && (selection.kind === 'all-matching' || selection.ids.size > 0);
  const isMoreThanLoaded = matchCount !== undefined && matchCount.value > loadedCount;
  const isUnknown = status === 'failed' && loadedCount === 0;
  const count =
    status === 'loading'
      ? `Loading ${noun.many}`
      : isUnknown
        ? `No ${noun.many} loaded`
        : describeCount(loadedCount, matchCount, noun);
  const columnsButton = (
    <Button size={28} variant="ghost" icon={Columns3} onPress={() => setAskedForColumns(true)}>
      Columns
    </Button>
  );
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-page ps-4 pe-2 text-body text-ink-2">
      {hasSelection ? (
        // Scrolls sideways in a narrow window, so that the bar stays one line.
        <div className="-ms-1 flex h-full min-w-0 flex-1 [scrollbar-width:none] items-center gap-2 overflow-x-auto ps-1">
          <span className="shrink-0 font-medium text-ink-1">
            {describeSelection(selection, loadedCount, matchCount, noun)}
          </span>
          {canSelectAllMatching && isMoreThanLoaded && selection.kind === 'rows' && (
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                onSelectionChange?.({ kind: 'all-matching' });
              }}
            >
              {describeAllMatching(matchCount)}
            </Button>
          )}
          {selection.kind === 'all-matching' && isMoreThanLoaded && (
            <Button size={28} variant="ghost" onPress={onSelectLoaded}>
              Only the {loadedCount.toLocaleString()} loaded
            </Button>
          )}
          <IconButton
            icon={X}
            label="Clear selection"
            onPress={() => {
              onSelectionChange?.(emptyGridSelection);
            }}
          />
          <div className="ms-2 flex shrink-0 items-center gap-2">{bulkActions}</div>
        </div>
      ) : (
        <span className="flex min-w-0 items-center gap-2 truncate">
          {count}
          {(status === 'loading' || status === 'loading-more') && <Spinner size={12} />}
        </span>
      )}
      <div className="ms-auto flex shrink-0 items-center gap-1">
        {barEnd}
        <Suspense fallback={columnsButton}>
          {wasAskedForColumns ? (
            <GridColumnsMenu columns={columns} view={view} onViewChange={onViewChange} />
          ) : (
            columnsButton
          )}
        </Suspense>
      </div>
      {/* Counts are announced once they settle, not for every page that arrives. */}
      <span role="status" className="sr-only">
        {status === 'loading' || status === 'loading-more'
          ? ''
          : hasSelection
            ? describeSelection(selection, loadedCount, matchCount, noun)
            : count}
      </span>
    </div>
  );
}
