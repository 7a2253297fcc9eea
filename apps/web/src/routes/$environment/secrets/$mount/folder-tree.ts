/** The nodes of the tree of folders, made of what was loaded of each folder. */
import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { SecretIcon } from '@gatehouse/ui/icon';
import type { TreeNode } from '@gatehouse/ui/tree-view';
import { Folder } from 'lucide-react';

/** What is known of an open folder. */
export interface LoadedFolder {
  /** The names of the pages that were read; undefined before the first. */
  readonly items: readonly FolderItem[] | undefined;
  /** Why reading stopped. */
  readonly failure: string | undefined;
  readonly hasMore: boolean;
  /** Reads the next page, or the first once more. */
  readonly goOn: () => void;
}

/** By path. */
export type LoadedFolders = ReadonlyMap<string, LoadedFolder>;

export function folderId(path: string): string {
  return `folder:${path}`;
}

export function secretId(path: string): string {
  return `secret:${path}`;
}

/** What stands in a folder: its names, and a word where there are more of them, or none. */
export function treeOf(folders: LoadedFolders, path: string): readonly TreeNode[] {
  const loaded = folders.get(path);
  const note = (label: string, more: Partial<TreeNode> = {}): TreeNode => ({
    id: `note ${String(loaded?.items?.length ?? 0)}:${path}`,
    label,
    isNote: true,
    ...more,
  });
  if (loaded?.items === undefined) {
    return [note(loaded?.failure === undefined ? 'Loading…' : `${loaded.failure}: retry`)];
  }
  const nodes = loaded.items.map((item): TreeNode =>
    item.folder
      ? {
          id: folderId(item.path),
          label: item.name,
          icon: Folder,
          canOpen: true,
          children: folders.has(item.path) ? treeOf(folders, item.path) : [],
        }
      : { id: secretId(item.path), label: item.name, icon: SecretIcon },
  );
  if (loaded.failure !== undefined) return [...nodes, note(`${loaded.failure}: continue`)];
  if (loaded.hasMore) return [...nodes, note('Loading more…', { onShown: loaded.goOn })];
  return nodes.length === 0 ? [note('Empty')] : nodes;
}
