import type { ReactNode } from 'react';
import type { IconType } from '../icon/Icon.tsx';

export interface TreeNode {
  id: string;
  label: string;
  /** After the label, quieter: a count, an id. */
  detail?: ReactNode;
  icon?: IconType;
  children?: readonly TreeNode[];
  /** It can be opened though its children are not known yet. */
  canOpen?: boolean;
  /** Not a thing but a word about its siblings: `Loading more`. */
  isNote?: boolean;
  /** Called when it comes into sight, where the tree draws what is in sight alone. */
  onShown?: () => void;
}
