import type { TreeNode } from './TreeNode.ts';

/** A node in display order. */
export interface VisibleNode {
  node: TreeNode;
  /** From 1. */
  level: number;
  parent: string | null;
  /** From 1, among its siblings. */
  position: number;
  siblings: number;
}

/** The visible nodes from top to bottom, without the children of collapsed nodes. */
export function visibleNodes(
  nodes: readonly TreeNode[],
  expanded: ReadonlySet<string>,
  level = 1,
  parent: string | null = null,
): VisibleNode[] {
  return nodes.flatMap((node, index) => [
    { node, level, parent, position: index + 1, siblings: nodes.length },
    ...(node.children !== undefined && expanded.has(node.id)
      ? visibleNodes(node.children, expanded, level + 1, node.id)
      : []),
  ]);
}

export type TreeStep = { kind: 'focus'; id: string } | { kind: 'open' | 'close'; id: string };

/** Whether a node can be expanded. */
export function isParent({ children, canOpen = false }: TreeNode): boolean {
  return canOpen || (children !== undefined && children.length > 0);
}

/**
 * The effect of a key at the focused node, following ARIA's tree pattern; `undefined` for none. A letter moves to the
 * next node that begins with it.
 */
export function treeStep(
  visible: readonly VisibleNode[],
  focused: string,
  key: string,
  expanded: ReadonlySet<string>,
): TreeStep | undefined {
  const index = visible.findIndex(({ node }) => node.id === focused);
  const here = visible[index];
  if (here === undefined) return undefined;
  const focus = (target: VisibleNode | undefined): TreeStep | undefined =>
    target === undefined ? undefined : { kind: 'focus', id: target.node.id };
  const isOpen = isParent(here.node) && expanded.has(focused);
  switch (key) {
    case 'ArrowDown':
      return focus(visible[index + 1]);
    case 'ArrowUp':
      return focus(visible[index - 1]);
    case 'Home':
      return focus(visible[0]);
    case 'End':
      return focus(visible.at(-1));
    case 'ArrowRight':
      if (!isParent(here.node)) return undefined;
      return isOpen ? focus(visible[index + 1]) : { kind: 'open', id: focused };
    case 'ArrowLeft':
      if (isOpen) return { kind: 'close', id: focused };
      return here.parent === null ? undefined : { kind: 'focus', id: here.parent };
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const letter = key.toLocaleLowerCase();
      const after = [...visible.slice(index + 1), ...visible.slice(0, index)];
      return focus(after.find(({ node }) => node.label.toLocaleLowerCase().startsWith(letter)));
    }
  }
}
