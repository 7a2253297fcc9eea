import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type PointerEvent, useRef } from 'react';
import { CheckboxMark } from '../checkbox/CheckboxMark.tsx';
import { Icon } from '../icon/Icon.tsx';
import { cellAddress, pinClass, pinStyle } from './GridCells.tsx';
import type { GridSorting } from './gridTypes.ts';
import { actionsColumnId, type LaidOutColumn, selectColumnId } from './useGridTable.ts';

export interface GridHeaderProps<Row extends object> {
  columns: readonly LaidOutColumn<Row>[];
  template: string;
  sorting: GridSorting | null;
  canSort: boolean;
  onSort: (columnId: string) => void;
  /** The selection state of the loaded rows; a press selects all or none. */
  selectionState: 'none' | 'some' | 'all';
  onSelectAll: () => void;
  /** The header cell that has focus, or would get it. */
  activeColumn: number | undefined;
  /** Called during the drag of an edge, and once when it is released. */
  onResize: (columnId: string, width: number, isDone: boolean) => void;
}

function ResizeHandle<Row extends object>({
  laidOut,
  onResize,
}: {
  laidOut: LaidOutColumn<Row>;
  onResize: GridHeaderProps<Row>['onResize'];
}) {
  const drag = useRef<{ fromX: number; fromWidth: number; direction: 1 | -1 } | null>(null);

  function widthAt(event: PointerEvent): number {
    const from = drag.current;
    if (from === null) return laidOut.width;
    return from.fromWidth + (event.clientX - from.fromX) * from.direction;
  }

  return (
    // Shift and the arrow keys resize, on the header cell itself.
    <div
      aria-hidden
      onPointerDown={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const cell = event.currentTarget.parentElement;
        drag.current = {
          fromX: event.clientX,
          // The stretched column may be wider than its own width.
          fromWidth: cell?.getBoundingClientRect().width ?? laidOut.width,
          direction: getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1,
        };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) onResize(laidOut.id, widthAt(event), false);
      }}
      onPointerUp={(event) => {
        if (drag.current === null) return;
        const width = widthAt(event);
        drag.current = null;
        onResize(laidOut.id, width, true);
      }}
      className="absolute inset-y-0 end-0 w-2 cursor-col-resize touch-none after:absolute after:inset-y-1.5 after:end-0 after:w-px after:bg-line hover:after:inset-y-0 hover:after:w-0.5 hover:after:bg-accent"
    />
  );
}

/** The grid's header: names, sort order, and edges for resizing. */
export function GridHeader<Row extends object>({
  columns,
  template,
  sorting,
  canSort,
  onSort,
  selectionState,
  onSelectAll,
  activeColumn,
  onResize,
}: GridHeaderProps<Row>) {
  return (
    <div role="rowgroup" className="sticky top-0 z-2">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-8 border-b border-line bg-page"
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((laidOut, index) => {
          const { id, column } = laidOut;
          const isActive = activeColumn === index;
          const shared = {
            role: 'columnheader',
            'aria-colindex': index + 1,
            style: pinStyle(laidOut),
          } as const;
          const focus = { ...cellAddress(-1, index), tabIndex: isActive ? 0 : -1 };
          if (id === selectColumnId) {
            const isOn = selectionState === 'all';
            return (
              <div
                key={id}
                {...shared}
                className={clsx('flex items-center justify-center', pinClass(laidOut))}
              >
                <button
                  {...focus}
                  type="button"
                  role="checkbox"
                  aria-checked={selectionState === 'some' ? 'mixed' : isOn}
                  aria-label="Select all loaded rows"
                  onClick={onSelectAll}
                  className="group flex size-6 items-center justify-center rounded-control outline-offset-0!"
                >
                  <CheckboxMark state={selectionState === 'none' ? 'off' : isOn ? 'on' : 'mixed'} />
                </button>
              </div>
            );
          }
          if (id === actionsColumnId || column === undefined) {
            return (
              <div key={id} {...shared} {...focus} className={clsx('-outline-offset-2!', pinClass(laidOut))}>
                <span className="sr-only">Actions</span>
              </div>
            );
          }
          const isSortable = canSort && column.sortable === true;
          const direction = sorting?.columnId === id ? sorting.direction : undefined;
          const words = (
            <>
              <span className="truncate">{column.header}</span>
              {direction !== undefined && (
                <Icon
                  icon={direction === 'ascending' ? ArrowUp : ArrowDown}
                  size={12}
                  className="text-accent"
                />
              )}
            </>
          );
          const wordsClass = clsx(
            'flex h-full w-full min-w-0 items-center gap-1 px-2 font-mono text-caps uppercase -outline-offset-2!',
            column.align === 'end' && 'flex-row-reverse',
            direction === undefined ? 'text-ink-2' : 'text-ink-1',
          );
          return (
            <div
              key={id}
              {...shared}
              aria-sort={isSortable ? (direction ?? 'none') : undefined}
              className={clsx('relative min-w-0', pinClass(laidOut))}
            >
              {isSortable ? (
                <button
                  {...focus}
                  type="button"
                  onClick={() => {
                    onSort(id);
                  }}
                  className={clsx(wordsClass, 'cursor-default hover:text-ink-1')}
                >
                  {words}
                </button>
              ) : (
                <div {...focus} className={wordsClass}>
                  {words}
                </div>
              )}
              <ResizeHandle laidOut={laidOut} onResize={onResize} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
