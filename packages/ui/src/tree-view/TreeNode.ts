import type { ReactNode } from 'react';
import type { IconType } from '../icon/Icon.tsx';

export interface TreeNode {
  id: string;
  label: string;
  /** Less prominent text after the label: a count, an ID. */
  detail?: ReactNode;
  icon?: IconType;
  children?: readonly TreeNode[];
  /** It can be expanded although its children aren't loaded yet. */
  canOpen?: boolean;
  /** A message among its siblings instead of an item: `Loading more`. */
  isNote?: boolean;
  /** Called when it becomes visible, if the tree only renders visible nodes. */
  onShown?: () => void;
}
