import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Icon } from '../icon/Icon.tsx';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';
import { isParent, treeStep, visibleNodes } from './treeKeyboard.ts';
import type { TreeNode } from './TreeNode.ts';

export interface TreeViewProps {
  /** Accessible name of the tree. */
  label: string;
  nodes: readonly TreeNode[];
  selected: string | null;
  onSelect: (id: string) => void;
  expanded: readonly string[];
  onExpandedChange: (ids: string[]) => void;
  /** The scrolling element. With it, the tree only renders visible nodes and can have hundreds of thousands. */
  scroller?: RefObject<HTMLElement | null>;
}

/** Height of a node and the gap below it, in px. */
const nodeHeight = 29;

/**
 * A hierarchy with one selected node: scopes, folders. Arrow keys move, expand and collapse; letters jump to names;
 * Enter and Space select. (The overlay library's tree adds 39 kB for drag and drop, grids and virtual lists.)
 */
export function TreeView({
  label,
  nodes,
  selected,
  onSelect,
  expanded,
  onExpandedChange,
  scroller,
}: TreeViewProps) {
  const treeId = useId();
  const tree = useRef<HTMLUListElement>(null);
  const open = useMemo(() => new Set(expanded), [expanded]);
  const visible = useMemo(() => visibleNodes(nodes, open), [nodes, open]);
  const [focused, setFocused] = useState<string | null>(null);
  const places = useMemo(() => new Map(visible.map(({ node }, index) => [node.id, index])), [visible]);
  const placeOf = (id: string | null): number => (id === null ? -1 : (places.get(id) ?? -1));
  const isThere = (id: string | null): boolean => placeOf(id) !== -1;
  // The tree's only tab stop: the last focused node, else the selected one, else the first.
  const stop = isThere(focused) ? focused : isThere(selected) ? selected : (visible[0]?.node.id ?? null);

  const stopIndex = placeOf(stop);
  const virtualizer = useVirtualizer({
    count: scroller === undefined ? 0 : visible.length,
    getScrollElement: () => scroller?.current ?? null,
    estimateSize: () => nodeHeight,
    overscan: 12,
    // React 19 renders in time anyway, and warns about flushSync.
    useFlushSync: false,
    initialRect: { width: 0, height: 640 },
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      // The focused node is rendered even when scrolled out of view, or focus would move to the body.
      if (stopIndex < 0 || indexes.includes(stopIndex)) return indexes;
      return [...indexes, stopIndex].sort((first, second) => first - second);
    },
  });
  const drawn =
    scroller === undefined
      ? visible.map((item) => ({ item, start: undefined }))
      : virtualizer.getVirtualItems().flatMap(({ index, start }) => {
          const item = visible[index];
          return item === undefined ? [] : [{ item, start }];
        });

  // Scrolls a node into view that was selected elsewhere; one selected here is visible already.
  const selectedIndex = placeOf(selected);
  const isSelectedThere = selectedIndex !== -1;
  const showSelected = useEffectEvent(() => {
    if (scroller !== undefined && isSelectedThere)
      virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  });
  useEffect(() => {
    showSelected();
  }, [selected, isSelectedThere]);

  const [wanted, setWanted] = useState<string | null>(null);
  /** Index of the focused node while focus is in the tree. */
  const focusPlace = useRef<number | null>(null);
  useLayoutEffect(() => {
    // The focused node is gone (a replaced message, a removed name), so the node in its place gets the focus.
    if (focusPlace.current === null || document.activeElement !== document.body) return;
    const next = visible[Math.min(focusPlace.current, visible.length - 1)]?.node.id;
    if (next === undefined || next === wanted) return;
    setFocused(next);
    setWanted(next);
  }, [visible, wanted]);

  useLayoutEffect(() => {
    if (wanted === null) return;
    const node = tree.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(wanted)}"]`);
    // Without a node in its place, focus is released.
    if (node === null || node === undefined) focusPlace.current = null;
    else node.focus();
    setWanted(null);
  }, [wanted]);

  function setOpen(id: string, isOpen: boolean): void {
    onExpandedChange(isOpen ? [...expanded, id] : expanded.filter((other) => other !== id));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || stop === null) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onSelect(stop);
      return;
    }
    const step = treeStep(visible, stop, event.key, open);
    if (step === undefined) return;
    event.preventDefault();
    if (step.kind === 'focus') {
      const index = placeOf(step.id);
      if (scroller !== undefined && index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
      setFocused(step.id);
      setWanted(step.id);
    } else setOpen(step.id, step.kind === 'open');
  }

  return (
    <ul
      ref={tree}
      role="tree"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={clsx('min-w-0', scroller === undefined ? 'flex flex-col gap-px' : 'relative')}
      {...(scroller !== undefined && { style: { height: virtualizer.getTotalSize() } })}
    >
      {drawn.map(({ item: { node, level, position, siblings }, start }) => {
        const isSelected = node.id === selected;
        const canOpen = isParent(node);
        const isOpen = canOpen && open.has(node.id);
        return (
          <li
            key={node.id}
            role="treeitem"
            aria-level={level}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-selected={isSelected}
            aria-expanded={canOpen ? isOpen : undefined}
            aria-labelledby={`${treeId}-${node.id}`}
            data-node={node.id}
            tabIndex={node.id === stop ? 0 : -1}
            onFocus={() => {
              focusPlace.current = placeOf(node.id);
              setFocused(node.id);
            }}
            onBlur={({ currentTarget }) => {
              // A blur caused by the node's removal doesn't mean that the user left the tree.
              window.setTimeout(() => {
                if (currentTarget.isConnected && !tree.current?.contains(document.activeElement))
                  focusPlace.current = null;
              });
            }}
            onClick={() => {
              onSelect(node.id);
            }}
            style={{
              paddingInlineStart: (level - 1) * 16,
              ...(start !== undefined && { transform: `translateY(${String(start)}px)` }),
            }}
            className={clsx(
              start === undefined ? 'relative' : 'absolute inset-x-0 top-0',
              'flex h-7 min-w-0 cursor-default items-center gap-1.5 rounded-control pe-2 text-body text-ink-1 -outline-offset-2!',
              isSelected
                ? 'bg-selected before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent forced-colors:outline-2'
                : 'hover:bg-hover',
            )}
          >
            {canOpen ? (
              // The keyboard expands and collapses with the arrow keys; aria-expanded reports the state.
              <span
                aria-hidden
                onClick={(event) => {
                  event.stopPropagation();
                  setOpen(node.id, !isOpen);
                }}
                className="flex size-6 shrink-0 items-center justify-center rounded-control text-ink-3 hover:text-ink-1"
              >
                <Icon
                  icon={ChevronRight}
                  size={14}
                  className={clsx('transition-transform', isOpen ? 'rotate-90' : 'rtl:rotate-180')}
                />
              </span>
            ) : (
              <span className="w-6 shrink-0" />
            )}
            {node.onShown !== undefined && <Shown onShown={node.onShown} />}
            {node.icon !== undefined && <Icon icon={node.icon} className="text-ink-2" />}
            <span id={`${treeId}-${node.id}`} className="flex min-w-0 flex-1 items-baseline justify-between">
              <span className={clsx('min-w-0 truncate', node.isNote === true && 'text-ink-3')}>
                <VisibleEnds text={node.label} />
              </span>
              {node.detail !== undefined && (
                <span className="shrink-0 ps-2 text-meta text-ink-3"> {node.detail}</span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Calls `onShown` once it is rendered. */
function Shown({ onShown }: { onShown: () => void }) {
  const tell = useEffectEvent(onShown);
  useEffect(() => {
    tell();
  }, []);
  return null;
}
