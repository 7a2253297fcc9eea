import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { afterPaint } from '../after-paint/afterPaint.ts';
import { lazy } from '../lazy/parts.ts';
import { GridBar } from './GridBar.tsx';
import { GridHeader } from './GridHeader.tsx';
import { type GridPosition, moveByKey } from './gridKeyboard.ts';
import { GridRow, SkeletonRow } from './GridRow.tsx';
import { isRowSelected, loadedSelectionState, selectRange, toggleRow } from './gridSelection.ts';
import { type DataGridProps, emptyGridSelection } from './gridTypes.ts';
import { useGridTable } from './useGridTable.ts';
import { useIsNarrow } from './useIsNarrow.ts';

// Loaded after the grid, which is shown before its menus are needed.
const loadMenus = () => import('./menus.ts');
const RowMenu = lazy(async () => ({ default: (await loadMenus()).AnchoredMenu }));

const headerHeight = 32;
/** Height in px of a row with a second line. */
const twoLines = 44;
const skeletonRows = 14;
const focusable = 'a[href], button, input, select, textarea, [tabindex]';

/** Whether an element uses letters and arrow keys itself. */
function isEditing(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * The grid component: hundreds of thousands of rows, of which only the visible ones are rendered. The caller controls
 * sorting, arrangement and selection. The keyboard follows ARIA's grid pattern. It fills its container, which must have
 * a height.
 */
export function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const {
    label,
    rows: given,
    rowId,
    rowLabel,
    status,
    matchCount,
    onLoadMore,
    empty,
    error,
    rowHref,
    onOpen,
    rowActions,
    sorting,
    onSortingChange,
    view,
    onViewChange,
    selection,
    onSelectionChange,
    hasLetterKeys = true,
  } = props;

  const [resizing, setResizing] = useState<{ id: string; width: number } | null>(null);
  const twoLined = props.columns.find(({ below }) => below !== undefined)?.id;
  const hasTwoLines = useIsNarrow(twoLined !== undefined);
  const shownView = useMemo(
    () => ({
      ...view,
      ...(resizing !== null && { widths: { ...view.widths, [resizing.id]: resizing.width } }),
      ...(hasTwoLines && twoLined !== undefined && { pinned: { start: [twoLined], end: [] } }),
    }),
    [view, resizing, hasTwoLines, twoLined],
  );
  const { columns, rows, template, width } = useGridTable({ ...props, view: shownView });
  const ids = useMemo(() => rows.map(rowId), [rows, rowId]);
  const rowHeight = hasTwoLines ? Math.max(view.density, twoLines) : view.density;

  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLSpanElement>(null);
  const after = useRef<HTMLSpanElement>(null);

  // Focus follows its row's ID, so that rows inserted above don't move it to another row.
  const [active, setActive] = useState<GridPosition & { id?: string }>({ row: 0, column: 0 });
  const [wantsFocus, setWantsFocus] = useState(false);
  const found =
    active.id === undefined || ids[active.row] === active.id ? active.row : ids.indexOf(active.id);
  const activeRow = Math.min(found === -1 && active.id !== undefined ? active.row : found, rows.length - 1);
  const activeColumn = Math.min(active.column, columns.length - 1);

  const hasMore = matchCount !== undefined && matchCount.value > rows.length;
  const isFirstLoad = status === 'loading' && rows.length === 0;
  const placeholders = isFirstLoad ? skeletonRows : hasMore && status === 'loading-more' ? 3 : 0;

  const virtualizer = useVirtualizer({
    count: rows.length + placeholders,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // React 19 renders in time anyway, and warns about flushSync.
    useFlushSync: false,
    scrollPaddingStart: headerHeight,
    initialRect: { width: 0, height: 640 },
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      // The focused row is rendered even when scrolled out of view, or focus would move to the body.
      if (activeRow < 0 || activeRow >= rows.length || indexes.includes(activeRow)) return indexes;
      return [...indexes, activeRow].sort((first, second) => first - second);
    },
  });
  useEffect(() => {
    virtualizer.measure();
  }, [virtualizer, rowHeight]);

  const items = virtualizer.getVirtualItems();
  const lastSeen = virtualizer.range?.endIndex ?? 0;
  const askedAt = useRef(-1);
  useEffect(() => {
    if (status !== 'ready') askedAt.current = -1;
    if (!hasMore || status !== 'ready' || lastSeen < rows.length - 20) return;
    // Once per reached end, however often the grid renders before the answer.
    if (askedAt.current === rows.length) return;
    askedAt.current = rows.length;
    onLoadMore?.();
  }, [hasMore, status, lastSeen, rows.length, onLoadMore]);

  const anchor = useRef(0);
  const latest = useRef({ selection, ids });
  useLayoutEffect(() => {
    latest.current = { selection, ids };
  });

  /** The focusable element of a cell: its only control, or the cell itself. */
  const cellElement = useCallback(
    ({ row, column }: GridPosition) =>
      scroller.current?.querySelector<HTMLElement>(
        `[data-grid-row="${String(row)}"][data-grid-column="${String(column)}"]`,
      ),
    [],
  );

  useLayoutEffect(() => {
    if (!wantsFocus) return;
    setWantsFocus(false);
    const cell = cellElement({ row: activeRow, column: activeColumn });
    cell?.focus({ preventScroll: true });
    // The virtualizer scrolls to rows. Scrolling along the row is done here, because the browser doesn't account for
    // pinned cells that cover others.
    const box = scroller.current;
    const place = cell?.closest('[aria-colindex]');
    if (box === null || !(place instanceof HTMLElement) || columns[activeColumn]?.pinned !== false) return;
    const startEdge = columns
      .filter(({ pinned }) => pinned === 'start')
      .reduce((sum, { width }) => sum + width, 0);
    const endEdge = columns
      .filter(({ pinned }) => pinned === 'end')
      .reduce((sum, { width }) => sum + width, 0);
    const frame = box.getBoundingClientRect();
    const rect = place.getBoundingClientRect();
    if (rect.left < frame.left + startEdge) box.scrollLeft -= frame.left + startEdge - rect.left;
    else if (rect.right > frame.right - endEdge) box.scrollLeft += rect.right - (frame.right - endEdge);
  }, [wantsFocus, activeRow, activeColumn, cellElement, columns]);

  const isGone = active.id !== undefined && found === -1 && status === 'ready';
  useEffect(() => {
    if (!isGone) return;
    let frame = requestAnimationFrame(() => {
      // A menu or dialog that deleted the row restores the focus first, if its target still exists.
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) setWantsFocus(true);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [isGone]);

  const moveTo = useCallback(
    (position: GridPosition) => {
      const id = latest.current.ids[position.row];
      setActive({ ...position, ...(id === undefined ? {} : { id }) });
      if (position.row >= 0) virtualizer.scrollToIndex(position.row, { align: 'auto' });
      setWantsFocus(true);
    },
    [virtualizer],
  );

  const toggle = useCallback(
    (index: number, isRange: boolean) => {
      const { selection: current, ids: loaded } = latest.current;
      const id = loaded[index];
      if (current === undefined || id === undefined) return;
      onSelectionChange?.(
        isRange ? selectRange(current, anchor.current, index, loaded) : toggleRow(current, id, loaded),
      );
      anchor.current = index;
    },
    [onSelectionChange],
  );

  // One menu for all rows, because a menu per row would be most of the work of scrolling.
  const [menu, setMenu] = useState<{ id: string; index: number } | null>(null);
  const menuButton = useRef<HTMLElement | null>(null);
  const openMenu = useCallback((index: number, button: HTMLElement) => {
    const id = latest.current.ids[index];
    if (id === undefined) return;
    menuButton.current = button;
    setMenu({ id, index });
  }, []);
  useEffect(() => {
    afterPaint()
      .then(loadMenus)
      .catch(() => undefined);
  }, []);
  const menuRow = menu === null || ids[menu.index] !== menu.id ? undefined : rows[menu.index];

  function selectLoaded(): void {
    onSelectionChange?.({ kind: 'rows', ids: new Set(ids) });
  }

  function sortBy(columnId: string): void {
    if (sorting?.columnId !== columnId) onSortingChange?.({ columnId, direction: 'ascending' });
    else if (sorting.direction === 'ascending') onSortingChange?.({ columnId, direction: 'descending' });
    else onSortingChange?.(null);
  }

  function resize(columnId: string, wanted: number, isDone: boolean): void {
    const column = props.columns.find(({ id }) => id === columnId);
    const width = Math.round(Math.min(Math.max(wanted, column?.minWidth ?? 64), 1200));
    setResizing(isDone ? null : { id: columnId, width });
    if (isDone) onViewChange({ ...view, widths: { ...view.widths, [columnId]: width } });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || isEditing(event.target)) return;
    const isMod = event.ctrlKey || event.metaKey;
    const position = { row: activeRow, column: activeColumn };
    const isInsideCell = event.target !== cellElement(position);

    if (event.key === 'Tab') {
      // The grid is a single tab stop: moving focus to its edge lets the browser continue from there.
      (event.shiftKey ? before : after).current?.focus();
      return;
    }
    if (isInsideCell) {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      moveTo(position);
      return;
    }
    if (event.key === 'F2') {
      const inner =
        event.target instanceof HTMLElement ? event.target.querySelector<HTMLElement>(focusable) : null;
      inner?.focus();
      return;
    }
    if (isMod && event.key.toLowerCase() === 'a' && selection !== undefined) {
      event.preventDefault();
      selectLoaded();
      return;
    }
    if (event.shiftKey && position.row === -1 && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const laidOut = columns[activeColumn];
      if (laidOut?.column === undefined) return;
      event.preventDefault();
      resize(laidOut.id, laidOut.width + (event.key === 'ArrowRight' ? 16 : -16), true);
      return;
    }
    const row = rows[activeRow];
    if (event.key === ' ' && selection !== undefined && row !== undefined && position.row >= 0) {
      if (event.target instanceof HTMLButtonElement && event.target.getAttribute('role') !== 'checkbox')
        return;
      event.preventDefault();
      toggle(activeRow, event.shiftKey);
      return;
    }
    if (event.key === 'Enter' && !isMod && !event.shiftKey && row !== undefined && position.row >= 0) {
      const isControl =
        event.target instanceof HTMLAnchorElement || event.target instanceof HTMLButtonElement;
      const isCheckbox =
        event.target instanceof HTMLElement && event.target.getAttribute('role') === 'checkbox';
      if (onOpen === undefined || (isControl && !isCheckbox)) return;
      event.preventDefault();
      onOpen(row);
      return;
    }
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      if (rowActions === undefined || position.row < 0) return;
      event.preventDefault();
      const button = cellElement({ row: position.row, column: columns.length - 1 });
      if (button) openMenu(position.row, button);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = moveByKey(
      position,
      { key: event.key, isMod, isShift: event.shiftKey, isAlt: event.altKey },
      { rows: rows.length, columns: columns.length, page },
      hasLetterKeys,
    );
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  }

  const isPointing = useRef(false);
  function onFocus(event: FocusEvent): void {
    if (!(event.target instanceof HTMLElement)) return;
    const { gridRow, gridColumn } = event.target.dataset;
    if (gridRow !== undefined && gridColumn !== undefined) {
      const row = Number(gridRow);
      const id = ids[row];
      setActive({ row, column: Number(gridColumn), ...(id === undefined ? {} : { id }) });
      return;
    }
    // Tab from outside focuses the cell that last had focus, not a control in another cell.
    const isFromOutside = !(
      event.relatedTarget instanceof Node && scroller.current?.contains(event.relatedTarget)
    );
    if (isFromOutside && !isPointing.current) cellElement({ row: activeRow, column: activeColumn })?.focus();
  }

  const isEmpty = rows.length === 0 && !isFirstLoad;
  const isFailed = status === 'failed';
  const total = matchCount === undefined ? rows.length : matchCount.isExact ? matchCount.value : -1;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <GridBar {...props} loadedCount={rows.length} onSelectLoaded={selectLoaded} />
      {isFailed && given.length > 0 && <div className="shrink-0 px-4 py-2">{error}</div>}
      <span ref={before} tabIndex={-1} className="outline-none" />
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain bg-surface"
        onPointerDownCapture={() => {
          isPointing.current = true;
        }}
        onPointerUpCapture={() => {
          isPointing.current = false;
        }}
      >
        <div
          role="grid"
          tabIndex={-1}
          aria-label={label}
          aria-rowcount={total === -1 ? -1 : total + 1}
          aria-colcount={columns.length}
          aria-multiselectable={selection === undefined ? undefined : true}
          aria-busy={status === 'loading' || status === 'loading-more'}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          style={{ minWidth: width }}
          className="outline-none"
        >
          <GridHeader
            columns={columns}
            template={template}
            sorting={sorting}
            canSort={onSortingChange !== undefined}
            onSort={sortBy}
            selectionState={loadedSelectionState(selection ?? emptyGridSelection, ids)}
            onSelectAll={() => {
              if (loadedSelectionState(selection ?? emptyGridSelection, ids) === 'all')
                onSelectionChange?.(emptyGridSelection);
              else selectLoaded();
            }}
            activeColumn={activeRow === -1 ? activeColumn : undefined}
            onResize={resize}
          />
          {!isEmpty && (
            <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
              {items.map((item) => {
                const row = rows[item.index];
                const id = ids[item.index];
                const place = { columns, template, height: rowHeight, top: item.start, index: item.index };
                if (row === undefined || id === undefined) return <SkeletonRow key={item.key} {...place} />;
                return (
                  <GridRow<Row>
                    key={id}
                    {...place}
                    row={row}
                    label={rowLabel(row)}
                    isSelectable={selection !== undefined}
                    isSelected={selection !== undefined && isRowSelected(selection, id)}
                    hasTwoLines={hasTwoLines}
                    activeColumn={activeRow === item.index ? activeColumn : undefined}
                    href={rowHref?.(row)}
                    onOpen={onOpen}
                    isMenuOpen={menu?.id === id}
                    onMenu={openMenu}
                    onToggle={toggle}
                  />
                );
              })}
            </div>
          )}
        </div>
        {isEmpty && <div className="sticky start-0">{isFailed ? error : empty}</div>}
      </div>
      <span ref={after} tabIndex={-1} className="outline-none" />
      {rowActions !== undefined && menuRow !== undefined && (
        <Suspense>
          <RowMenu
            anchor={menuButton}
            label={`Actions for ${rowLabel(menuRow)}`}
            items={rowActions(menuRow)}
            isOpen
            onOpenChange={(isOpen) => {
              if (!isOpen) setMenu(null);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
