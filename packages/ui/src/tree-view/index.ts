export type { TreeNode } from './TreeNode.ts';
export { TreeView, type TreeViewProps } from './TreeView.tsx';
