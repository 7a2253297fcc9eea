import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { treeStep, visibleNodes } from './treeKeyboard.ts';

export interface TreeNode {
  id: string;
  label: string;
  /** After the label, quieter: a count, an id. */
  detail?: ReactNode;
  icon?: IconType;
  children?: readonly TreeNode[];
}

export interface TreeViewProps {
  /** What the tree is of: its accessible name. */
  label: string;
  nodes: readonly TreeNode[];
  selected: string | null;
  onSelect: (id: string) => void;
  expanded: readonly string[];
  onExpandedChange: (ids: string[]) => void;
}

/**
 * Things that hold things, one of them chosen: scopes, folders. Arrow keys go through it and open and close,
 * letters lead to names, Enter and Space choose. (The overlay library's tree weighs 39 kB: drag and drop, grids,
 * virtual lists.)
 */
export function TreeView({ label, nodes, selected, onSelect, expanded, onExpandedChange }: TreeViewProps) {
  const treeId = useId();
  const tree = useRef<HTMLUListElement>(null);
  const open = useMemo(() => new Set(expanded), [expanded]);
  const visible = useMemo(() => visibleNodes(nodes, open), [nodes, open]);
  const [focused, setFocused] = useState<string | null>(null);
  const isThere = (id: string | null) => id !== null && visible.some(({ node }) => node.id === id);
  // One stop for Tab: where focus was, else the choice, else the first.
  const stop = isThere(focused) ? focused : isThere(selected) ? selected : (visible[0]?.node.id ?? null);

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
      setFocused(step.id);
      tree.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(step.id)}"]`)?.focus();
    } else setOpen(step.id, step.kind === 'open');
  }

  return (
    <ul
      ref={tree}
      role="tree"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-col gap-px"
    >
      {visible.map(({ node, level, position, siblings }) => {
        const isSelected = node.id === selected;
        const canOpen = node.children !== undefined && node.children.length > 0;
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
              setFocused(node.id);
            }}
            onClick={() => {
              onSelect(node.id);
            }}
            style={{ paddingInlineStart: (level - 1) * 16 }}
            className={clsx(
              'relative flex h-7 min-w-0 cursor-default items-center gap-1.5 rounded-control pe-2 text-body text-ink-1 -outline-offset-2!',
              isSelected
                ? 'bg-selected before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent forced-colors:outline-2'
                : 'hover:bg-hover',
            )}
          >
            {canOpen ? (
              // The keyboard opens and closes with the arrow keys; aria-expanded says which it is.
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
            {node.icon !== undefined && <Icon icon={node.icon} className="text-ink-2" />}
            <span id={`${treeId}-${node.id}`} className="flex min-w-0 flex-1 items-baseline justify-between">
              <span className="min-w-0 truncate">{node.label}</span>
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
