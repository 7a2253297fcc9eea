import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Collection, Tree, TreeItem, TreeItemContent } from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface TreeNode {
  id: string;
  label: string;
  /** After the label, quieter: a count, an id. */
  detail?: ReactNode;
  icon?: IconType;
  children?: readonly TreeNode[];
  /** Followed by the RouterProvider of react-aria. */
  href?: string;
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

function Node({ node }: { node: TreeNode }) {
  return (
    <TreeItem
      id={node.id}
      textValue={node.label}
      href={node.href}
      className="group relative cursor-default rounded-control text-body text-ink-1 -outline-offset-2! data-hovered:bg-hover data-selected:bg-selected data-selected:before:absolute data-selected:before:inset-y-0 data-selected:before:start-0 data-selected:before:w-0.5 data-selected:before:bg-accent forced-colors:data-selected:outline-2"
    >
      <TreeItemContent>
        {({ level, hasChildItems, isExpanded }) => (
          <div
            className="flex h-7 min-w-0 items-center gap-1.5 pe-2"
            style={{ paddingInlineStart: level * 16 - 12 }}
          >
            {hasChildItems ? (
              <AriaButton
                slot="chevron"
                className="flex size-6 shrink-0 items-center justify-center rounded-control text-ink-3 data-hovered:text-ink-1"
              >
                <Icon
                  icon={ChevronRight}
                  size={14}
                  className={`transition-transform ${isExpanded ? 'rotate-90' : 'rtl:rotate-180'}`}
                />
              </AriaButton>
            ) : (
              <span className="w-6 shrink-0" />
            )}
            {node.icon !== undefined && <Icon icon={node.icon} className="text-ink-2" />}
            <span className="min-w-0 truncate">{node.label}</span>
            {node.detail !== undefined && (
              <span className="ms-auto shrink-0 ps-2 text-meta text-ink-3">{node.detail}</span>
            )}
          </div>
        )}
      </TreeItemContent>
      {node.children !== undefined && (
        <Collection items={node.children}>{(child) => <Node node={child} />}</Collection>
      )}
    </TreeItem>
  );
}

/** Things that hold things, one of them chosen: scopes, folders. */
export function TreeView({ label, nodes, selected, onSelect, expanded, onExpandedChange }: TreeViewProps) {
  return (
    <Tree
      aria-label={label}
      items={nodes}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={selected === null ? [] : [selected]}
      onSelectionChange={(keys) => {
        if (keys === 'all') return;
        const [chosen] = keys;
        if (chosen !== undefined) onSelect(String(chosen));
      }}
      expandedKeys={expanded}
      onExpandedChange={(keys) => {
        onExpandedChange([...keys].map(String));
      }}
      className="flex min-w-0 flex-col gap-px outline-none"
    >
      {(node) => <Node node={node} />}
    </Tree>
  );
}
