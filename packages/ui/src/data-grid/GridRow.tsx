import { clsx } from 'clsx';
import { Ellipsis } from 'lucide-react';
import { type CSSProperties, memo, type MouseEvent } from 'react';
import { CheckboxMark } from '../checkbox/CheckboxMark.tsx';
import { Icon } from '../icon/Icon.tsx';
import { linkClass } from '../link/linkClass.ts';
import { Skeleton } from '../skeleton/Skeleton.tsx';
import { visibleText } from '../visible-text/visibleText.ts';
import { CellText, cellAddress, pinClass, pinStyle } from './GridCells.tsx';
import { actionsColumnId, type LaidOutColumn, selectColumnId } from './useGridTable.ts';

export interface GridRowProps<Row extends object> {
  row: Row;
  /** Index among the loaded rows, from 0. */
  index: number;
  label: string;
  columns: readonly LaidOutColumn<Row>[];
  template: string;
  /** px */
  height: number;
  /** Distance from the top of the body, in px. */
  top: number;
  isSelectable: boolean;
  isSelected: boolean;
  /** Whether columns show their second line. */
  hasTwoLines: boolean;
  activeColumn: number | undefined;
  href: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  isMenuOpen: boolean;
  /** Opens the grid's shared menu for this row. */
  onMenu: (index: number, button: HTMLElement) => void;
  onToggle: (index: number, isRange: boolean) => void;
}

const rowMenuClass =
  'flex h-6 w-7 cursor-default items-center justify-center rounded-control text-ink-2 outline-offset-0! hover:bg-pressed hover:text-ink-1 aria-expanded:bg-pressed';

function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Whether a click is on neither a control nor text that is being selected. */
function isOfRow({ target }: MouseEvent): boolean {
  return (
    target instanceof Element &&
    target.closest('a, button, input') === null &&
    window.getSelection()?.isCollapsed !== false
  );
}

function rowPlace(top: number, height: number, template: string): CSSProperties {
  return { transform: `translateY(${String(top)}px)`, height, gridTemplateColumns: template };
}

/** A row. A click on any cell opens it. Every cell can have focus; F2 reaches controls other than its link. */
function Row<Row extends object>({
  row,
  index,
  label,
  columns,
  template,
  height,
  top,
  isSelectable,
  isSelected,
  hasTwoLines,
  activeColumn,
  href,
  onOpen,
  isMenuOpen,
  onMenu,
  onToggle,
}: GridRowProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelectable ? isSelected : undefined}
      className={clsx(
        'absolute inset-x-0 top-0 grid border-b border-line',
        isSelected
          ? 'bg-selected before:absolute before:inset-y-0 before:start-0 before:z-2 before:w-0.5 before:bg-accent forced-colors:outline-2 forced-colors:-outline-offset-2'
          : 'bg-surface hover:bg-hover',
      )}
      style={rowPlace(top, height, template)}
    >
      {columns.map((laidOut, columnIndex) => {
        const { id, column } = laidOut;
        const isActive = activeColumn === columnIndex;
        const focus = { ...cellAddress(index, columnIndex), tabIndex: isActive ? 0 : -1 };
        const place = { 'aria-colindex': columnIndex + 1, style: pinStyle(laidOut) } as const;
        if (id === selectColumnId) {
          return (
            <div
              key={id}
              role="gridcell"
              {...place}
              className={clsx('flex items-center justify-center', pinClass(laidOut))}
            >
              <button
                {...focus}
                type="button"
                role="checkbox"
                aria-checked={isSelected}
                aria-label={`Select ${label}`}
                onClick={(event) => {
                  onToggle(index, event.shiftKey);
                }}
                className="group flex size-6 items-center justify-center rounded-control outline-offset-0!"
              >
                <CheckboxMark state={isSelected ? 'on' : 'off'} />
              </button>
            </div>
          );
        }
        if (id === actionsColumnId) {
          return (
            <div
              key={id}
              role="gridcell"
              {...place}
              className={clsx('flex items-center justify-center', pinClass(laidOut))}
            >
              <button
                {...focus}
                type="button"
                aria-label={`Actions for ${label}`}
                aria-haspopup="menu"
                aria-expanded={isMenuOpen}
                onClick={(event) => {
                  onMenu(index, event.currentTarget);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' && event.key !== ' ') return;
                  // The following click would count as a screen reader's, after which the menu waits to be entered.
                  event.preventDefault();
                  onMenu(index, event.currentTarget);
                }}
                className={rowMenuClass}
              >
                <Icon icon={Ellipsis} />
              </button>
            </div>
          );
        }
        if (column === undefined) return null;
        const value = column.value(row);
        const content = column.cell?.(row) ?? <CellText value={value} />;
        const isLink = column.isRowHeader === true && href !== undefined;
        const below = hasTwoLines && column.below?.(row);
        return (
          <div
            key={id}
            role={column.isRowHeader === true ? 'rowheader' : 'gridcell'}
            {...place}
            {...(isLink ? {} : focus)}
            className={clsx(
              'flex min-w-0 overflow-hidden px-2 text-body text-ink-1 -outline-offset-2!',
              below ? 'flex-col items-start justify-center' : 'items-center',
              column.align === 'end' && 'justify-end text-end',
              column.isMono === true && 'font-mono text-meta',
              pinClass(laidOut),
            )}
            onClick={(event) => {
              if (onOpen !== undefined && isPlainPress(event) && isOfRow(event)) onOpen(row);
            }}
            title={
              typeof value === 'string' && value.length * 7 > laidOut.width ? visibleText(value) : undefined
            }
          >
            {isLink ? (
              <a
                {...focus}
                href={href}
                onClick={(event) => {
                  if (onOpen === undefined || !isPlainPress(event)) return;
                  event.preventDefault();
                  onOpen(row);
                }}
                className={clsx(
                  linkClass({ tone: 'quiet' }),
                  'max-w-full min-w-0 truncate font-medium outline-offset-0!',
                )}
              >
                {content}
              </a>
            ) : (
              <span className="max-w-full min-w-0 truncate">{content}</span>
            )}
            {below && <span className="max-w-full truncate font-sans text-meta text-ink-2">{below}</span>}
          </div>
        );
      })}
    </div>
  );
}

/** Renders again only when its own props change, not when scrolling moves rows. */
export const GridRow = memo(Row) as typeof Row;

/** The placeholder of a loading row. */
export function SkeletonRow<Row extends object>({
  columns,
  template,
  height,
  top,
  index,
}: Pick<GridRowProps<Row>, 'columns' | 'template' | 'height' | 'top' | 'index'>) {
  return (
    <div
      aria-hidden
      className="absolute inset-x-0 top-0 grid border-b border-line bg-surface"
      style={rowPlace(top, height, template)}
    >
      {columns.map(({ id, column }, columnIndex) => (
        <div key={id} className="flex min-w-0 items-center px-2">
          {column !== undefined && (
            <Skeleton width={`${String(40 + ((index * 7 + columnIndex * 13) % 5) * 10)}%`} />
          )}
        </div>
      ))}
    </div>
  );
}
